import { expect } from 'chai';
import { describe, it } from 'mocha';
import { ExecuteToolHandler } from '../../../../src/application/call/pipeline/execute-tool.js';
import { SILENT_CHANNEL } from '../../../../src/application/call/tool-context.js';
import { Clock } from '../../../../src/application/ports/system/clock.js';
import { createCastellan } from '../../../../src/composition/server/create-castellan.js';
import { FileTools } from '../../../support/file-tools.js';

describe('copy_path', () => {
  const tools = FileTools.forEachTest();
  const { put, failure } = tools;

  it('reports the progress of long work, in numbers that grow', async () => {
    for (let index = 0; index < 30; index += 1) put(`p/${index}`, '');
    let elapsed = 0;
    const hasty = await createCastellan({
      workspace: tools.sample.root,
      policy: tools.sample.policy,
      logLevel: 'silent',
      configure: (container) => {
        container.rebind(Clock).toConstantValue({ now: () => Date.now(), elapsed: () => (elapsed += 1000) });
      },
    });
    const progress: number[] = [];
    const channel = { ...SILENT_CHANNEL, progress: (done: number) => void progress.push(done) };
    const args = { source: 'p', destination: 'q' };
    const { id: sessionId } = hasty.session;
    await hasty.container
      .get(ExecuteToolHandler)
      .handle({ sessionId, toolName: 'copy_path', arguments: args, channel });
    await hasty.close();
    expect(progress.length).to.be.greaterThan(10);
    expect(progress).to.deep.equal([...new Set(progress)].sort((a, b) => a - b));
  });

  it('tells a missing destination from a missing source', async () => {
    const missing = await failure('copy_path', { source: 'README.md', destination: 'none/x' });
    expect(missing.message).to.include('none/x');
    expect((await failure('copy_path', { source: 'gone', destination: 'x' })).message).to.include('gone');
  });
});
