import { expect } from 'chai';
import { describe, it } from 'mocha';
import { Cancellation } from '../../../../src/application/tool/cancellation.js';
import { SILENT_CHANNEL } from '../../../../src/application/tool/tool-context.js';
import { Result } from '../../../../src/domain/result.js';
import { ToolResult } from '../../../../src/domain/tool/tool-result.js';
import type { WireAnswer } from '../../../../src/presentation/mcp/surface/result-mapping.js';
import { Pipeline } from '../../../support/pipeline.js';
import { runnable } from '../../../support/sample-tool.js';
import { OPTIONS, surfaceOf, toolAnswer } from '../../../support/wire.js';

const tools = Array.from({ length: 101 }, (_, n) => runnable({ name: `t${String(n).padStart(3, '0')}` }));

function surface(errorStyle: 'result' | 'rpc' = 'result') {
  const pipeline = new Pipeline([
    ...tools,
    runnable({ name: 'echo' }, ({ text }, { meta }) =>
      Result.ok(ToolResult.text(`${text} ${meta.trace ?? ''}`)),
    ),
  ]);
  const made = surfaceOf(pipeline, { ...OPTIONS, errorStyle });
  const call = (params?: Record<string, unknown>) => toolAnswer(made, 's', params);
  const list = (params?: Record<string, unknown>) => made.answer('tools/list', 's', params);
  return { made, call, list };
}

describe('ProtocolSurface', () => {
  it('S3-03: tools/list answers { tools } whose entries have name, description and inputSchema', async () => {
    const answer = await surface().list();
    expect(answer).to.have.nested.property('result.tools').with.length(100);
    expect(answer)
      .to.have.nested.property('result.tools[0]')
      .that.includes.keys('name', 'description', 'inputSchema');
  });

  it('S4-17: pages with nextCursor, and refuses a cursor that is none with -32602', async () => {
    const { list } = surface();
    const first = (await list()) as { result: { nextCursor: string } };
    const rest = await list({ cursor: first.result.nextCursor });
    expect(rest).to.have.nested.property('result.tools').with.length(2);
    expect(rest).not.to.have.nested.property('result.nextCursor');
    for (const cursor of ['x', 7, null]) {
      expect(await list({ cursor })).to.have.nested.property('error.code', -32602);
    }
  });

  it('S3-04: tools/call takes a name and optional arguments, and answers content', async () => {
    const { call } = surface();
    expect(await call({ name: 'echo', arguments: { text: 'hi' }, _meta: { trace: 't' } })).to.deep.equal({
      result: { content: [{ type: 'text', text: 'hi t' }] },
    });
    expect(await call({ name: 'echo' })).to.have.nested.property('result.content');
  });

  it('refuses arguments that are no object as a result, and a missing name as a protocol error', async () => {
    const { call } = surface();
    for (const args of ['x', 7, []]) {
      expect(await call({ name: 'echo', arguments: args })).to.have.nested.property('result.isError', true);
    }
    expect(await call()).to.have.nested.property('error.code', -32602);
  });

  it('answers an internal error where an answer has no words in JSON, once', async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    const pipeline = new Pipeline([runnable({}, () => Result.ok(ToolResult.text('fine')))]);
    const made = surfaceOf(pipeline, OPTIONS);
    const written: WireAnswer[] = [];
    await made.callTool('s', { name: 'sample' }, SILENT_CHANNEL, new Cancellation(), async (answer) => {
      if (written.length === 0 && 'result' in answer) JSON.stringify(cyclic);
      written.push(answer);
    });
    expect(written).to.have.length(1);
    expect(written[0]).to.have.nested.property('error.code', -32603);
    expect(pipeline.audit.outcomes).to.have.length(1);
    expect(pipeline.logger.records.map(({ level }) => level)).to.include('error');
  });

  it('knows no method beyond those it answers', async () => {
    expect(await surface().made.answer('no/such', 's')).to.equal(undefined);
  });

  it('S3-42: in style rpc a failure is an error with its own number', async () => {
    const { call } = surface('rpc');
    expect(await call({ name: 'nobody' })).to.have.nested.property('error.code', -32001);
    expect(await call({ name: 'echo', arguments: { wrong: 1 } })).to.have.nested.property(
      'error.code',
      -32602,
    );
  });
});
