import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import type { Container } from 'inversify';
import { afterEach, describe, it } from 'mocha';
import { PromptSource } from '../../../src/application/ports/prompt/prompt-source.js';
import { Sessions } from '../../../src/application/session/sessions.js';
import type { Castellan } from '../../../src/composition/server/castellan.js';
import { createCastellan } from '../../../src/composition/server/create-castellan.js';
import { Result } from '../../../src/domain/result.js';
import type { Caller } from '../../../src/domain/session/caller.js';
import { ToolResult } from '../../../src/domain/tool/tool-result.js';
import { defineTool } from '../../../src/presentation/tools/define-tool.js';
import { toolArguments } from '../../../src/presentation/tools/tool-arguments.js';
import { isolatedOptions } from '../../support/isolated-options.js';
import { PipeClient } from '../../support/pipe-client.js';
import { mustFail, mustValue, textOf } from '../../support/sample-tool.js';
import { initialize } from '../../support/wire.js';

const OWN = isolatedOptions();
const POLICY = join(OWN.workspace, 'policy.yaml');
writeFileSync(
  POLICY,
  `version: 1
principals:
  - { match: { transport: [stdio, embedded], claim: { team: ops } }, roles: [operator] }
  - { match: { transport: [stdio, embedded] }, roles: [viewer] }
roles:
  viewer: { tools: [echo, which_workflow] }
  operator: { inherits: [viewer], tools: [system_info] }
tools: { which_workflow: {} }
`,
);

const whichWorkflow = defineTool({
  name: 'which_workflow',
  version: '1.0.0',
  category: 'test',
  summary: 'Says which prompt the call belongs to.',
  description: 'Says which prompt the call belongs to.',
  usage: 'For tests.',
  security: 'None: it tells nothing.',
  examples: [{ title: 'A call', arguments: {} }],
  effects: { readOnly: true, idempotent: true },
  input: toolArguments({}),
  run: async (_args, _needs, context) => Result.ok(ToolResult.text(context.workflow?.promptName ?? 'none')),
});

const operator: Caller = { id: 'olga', transport: 'embedded', claims: { team: 'ops' } };
const viewer: Caller = { id: 'vera', transport: 'embedded' };

describe('Callers of an embedded Castellan', () => {
  const opened: Castellan[] = [];
  const open = async () => {
    const castellan = await createCastellan({ ...OWN, policy: POLICY, tools: [whichWorkflow] });
    opened.push(castellan);
    return castellan;
  };
  afterEach(async () => {
    for (const castellan of opened.splice(0)) await castellan.close();
  });

  it('have the roles that the policy gives them, each in a session of its own', async () => {
    const castellan = await open();
    mustValue(await castellan.execute('system_info', {}, { caller: operator }));
    expect(mustFail(await castellan.execute('system_info', {}, { caller: viewer })).error.kind).to.equal(
      'not-found',
    );
    expect(mustFail(await castellan.execute('system_info')).error.kind).to.equal('not-found');
    expect(castellan.sessionOf(operator)).not.to.equal(castellan.sessionOf(viewer));
    expect(castellan.sessionOf(operator)).to.equal(castellan.sessionOf(operator));
  });

  it('take a workflow from a prompt to a call, and nobody takes that of another', async () => {
    const castellan = await open();
    const { workflow } = mustValue(
      await castellan.prompt('create-adr', { topic: 'z' }, { caller: operator }),
    );
    const answer = async (caller: Caller) =>
      textOf(mustValue(await castellan.execute('which_workflow', {}, { caller, workflow })));
    expect(await answer(operator)).to.equal('create-adr');
    expect(await answer(viewer)).to.equal('none');
  });

  it('are served over any pair of streams, several at once, each as whom the host says', async () => {
    const castellan = await open();
    const ended: string[] = [];
    castellan.container.get(Sessions).onEnd(({ caller }) => ended.push(caller.id));
    const clients = [operator, viewer].map((caller) => new PipeClient(castellan, caller));
    const tools: string[][] = [];
    for (const client of clients) {
      const { params } = JSON.parse(JSON.stringify(initialize()));
      await client.result('initialize', params);
      const listed = JSON.parse(JSON.stringify(await client.result('tools/list')));
      tools.push(listed.tools.map(({ name }: { name: string }) => name));
    }
    expect(tools[0]).to.include('system_info');
    expect(tools[1]).to.include('echo').and.not.to.include('system_info');
    await clients[0]?.hangUp();
    expect(ended).to.deep.equal(['olga']);
    expect(await clients[1]?.result('ping')).to.deep.equal({});
    await castellan.close();
    await clients[1]?.served;
    expect(ended).to.deep.equal(['olga', 'vera']);
  });

  it('get messages of a prompt that are not text, with their arguments filled in', async () => {
    const resource = { uri: 'test://{{name}}/{{other}}', mimeType: 'text/plain', text: '"{{name}}"' };
    const source: PromptSource = {
      list: async () => [
        {
          name: 'pictured',
          description: 'Pictured.',
          arguments: [{ name: 'name', description: 'A name', required: true }],
          messages: [{ role: 'user', text: '', content: { type: 'resource', resource } }],
          examples: [],
        },
      ],
      problems: () => [],
      onChange: () => () => {},
      close: async () => {},
    };
    const configure = (container: Container) => container.rebind(PromptSource).toConstantValue(source);
    const castellan = await createCastellan({ ...OWN, policy: POLICY, configure });
    opened.push(castellan);
    const { messages } = mustValue(await castellan.prompt('pictured', { name: 'a"b{{name}}' }));
    expect(messages[0]).to.have.nested.property('content.resource.uri', 'test://a"b{{name}}/{{other}}');
    expect(messages[0]).to.have.nested.property('content.resource.text', '"a"b{{name}}"');
  });

  it('are not served any more after close', async () => {
    const castellan = await open();
    await castellan.close();
    const input = new PassThrough();
    input.end();
    await castellan.serve(input, new PassThrough());
    expect(mustFail(await castellan.execute('echo', {}, { caller: viewer })).error.kind).to.equal(
      'unavailable',
    );
  });
});
