import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { CliWorkspace } from '../support/cli-workspace.js';
import { ENVELOPES, useInstead } from '../support/other-answers.js';
import type { SpawnedServer } from '../support/spawned-server.js';

const PROMPT = {
  name: 'explain-file',
  description: 'Explain a file.',
  arguments: [{ name: 'path', description: 'Which', required: true }],
  examples: ['note.txt'],
  messages: [{ role: 'user', content: { type: 'text', text: 'Explain {{path}}.' } }],
};

describe('Arguments of a prompt over stdio', function () {
  useInstead(ENVELOPES);
  this.timeout(60_000);
  const workspace = new CliWorkspace();
  let server: SpawnedServer;
  let handle: unknown;

  before(async () => {
    workspace.write('note.txt', 'the note');
    workspace.write('prompts/explain-file.json', JSON.stringify(PROMPT));
    const config = workspace.write('castellan.yaml', 'prompts: { dir: prompts }\n');
    server = workspace.serve(['--config', config]);
    await server.initialize();
    const { result } = await server.request('prompt', 'prompts/get', {
      name: 'explain-file',
      arguments: { path: 'note.txt' },
    });
    const meta: unknown = result?._meta;
    handle =
      typeof meta === 'object' && meta !== null && 'castellan/workflow' in meta && meta['castellan/workflow'];
  });

  after(() => workspace.remove());

  it('S3-40, S4-08: without the handle a path that is left out is required', async () => {
    const { result } = await server.callTool(1, 'read_file', {});
    expect(result).to.have.nested.property('structuredContent.error', 'path is required');
  });

  it('S3-40: with the handle it is the one of the prompt', async () => {
    const params = { name: 'read_file', arguments: {}, _meta: { 'castellan/workflow': handle } };
    const { result } = await server.request(2, 'tools/call', params);
    expect(result).to.have.nested.property('content[0].text', 'the note');
  });
});
