import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { ToolRegistry } from '../../../src/application/ports/tool/tool-registry.js';
import type { Castellan } from '../../../src/composition/server/castellan.js';
import { createCastellan } from '../../../src/composition/server/create-castellan.js';
import { eventually } from '../../support/eventually.js';
import { type Gate, streamingTools } from '../../support/http-host.js';
import { isolatedOptions } from '../../support/isolated-options.js';
import { type ModernRequest, modernMessage } from '../../support/modern-client.js';
import { initialize, type WireMessage } from '../../support/wire.js';

const OWN = isolatedOptions();
const HOME = mkdtempSync(join(tmpdir(), 'castellan-home-'));
const POLICY = join(OWN.workspace, 'policy.yaml');
writeFileSync(
  POLICY,
  'version: 1\nextends: [builtin:workspace]\ntools: { "*": {}, system_info: { consent: always } }\n',
);

describe('Castellan over stdio, 2026-07-28', () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const gate: Gate = { entered: 0, aborted: false, open: () => {} };
  const received: WireMessage[] = [];
  let castellan: Castellan;
  let served: Promise<void>;
  before(async () => {
    // Commands do not run where the state is inside of the workspace.
    const environment = { ...OWN.environment, HOME, PATH: process.env.PATH };
    castellan = await createCastellan({ ...OWN, environment, policy: POLICY, tools: streamingTools(gate) });
    let text = '';
    output.on('data', (chunk: Buffer) => {
      const lines = (text + chunk.toString('utf8')).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) received.push(JSON.parse(line));
    });
    served = castellan.serve(input, output);
  });
  after(async () => {
    input.end();
    await served;
    await castellan.close();
    rmSync(HOME, { recursive: true, force: true });
  });

  const send = (message: unknown) => input.write(`${JSON.stringify(message)}\n`);
  const answer = async (id: number): Promise<WireMessage> => {
    const found = () => received.find((message) => message.id === id && message.method === undefined);
    await eventually(`request ${id} is answered`, () => found() !== undefined);
    return found() ?? {};
  };
  const request = (id: number, method: string, more: ModernRequest = {}) => {
    send(modernMessage(method, { ...more, id }));
    return answer(id);
  };
  const call = (id: number, name: string, more: ModernRequest = {}) =>
    request(id, 'tools/call', { ...more, params: { name, ...more.params } });

  it('discovers, lists and calls without a handshake', async () => {
    const found = await request(1, 'server/discover');
    expect(found.result?.supportedVersions).to.deep.equal(['2026-07-28']);
    expect(JSON.stringify((await request(2, 'tools/list')).result)).to.contain('"name":"echo"');
    const echoed = await call(3, 'echo', { params: { arguments: { message: 'hi' } } });
    expect(echoed.result).to.have.nested.property('content[0].text', 'Echo: hi');
  });

  it('sends progress of the calls that want it', async () => {
    await call(4, 'progressing', { meta: { progressToken: 'p4' } });
    const told = received.filter(({ method }) => method === 'notifications/progress');
    expect(told.map(({ params }) => params?.progressToken)).to.deep.equal(['p4']);
  });

  it('asks for consent in the answer, once for each call', async () => {
    const capabilities = { elicitation: {} };
    const { result } = await call(5, 'system_info', { capabilities });
    expect(result?.resultType).to.equal('input_required');
    const params = {
      requestState: result?.requestState,
      inputResponses: { 'question-1': { action: 'accept', content: {} } },
    };
    expect(JSON.stringify(await call(6, 'system_info', { capabilities, params }))).to.contain('platform');
    expect((await call(7, 'system_info', { capabilities, params })).error?.code).to.equal(-32602);
  });

  it('stops the call that is cancelled', async () => {
    send(modernMessage('tools/call', { params: { name: 'waiting' }, id: 8 }));
    await eventually('the call runs', () => gate.entered === 1);
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 8 } });
    await eventually('the call is stopped', () => gate.aborted);
  });

  it('tells subscribers of changes, and nobody else', async () => {
    const changes = () => received.filter(({ method }) => method === 'notifications/tools/list_changed');
    const params = { notifications: { toolsListChanged: true } };
    send(modernMessage('subscriptions/listen', { params, id: 9 }));
    await eventually('it is acknowledged', () =>
      received.some(({ method }) => method === 'notifications/subscriptions/acknowledged'),
    );
    expect(changes()).to.have.length(0);
    castellan.container.get(ToolRegistry).setEnabled('file_info', false);
    await eventually('the change is told', () => changes().length === 1);
    const meta = changes()[0]?.params?._meta;
    expect(meta).to.deep.equal({ 'io.modelcontextprotocol/subscriptionId': 9 });
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } });
    await request(10, 'tools/list');
    castellan.container.get(ToolRegistry).setEnabled('file_info', true);
    await request(12, 'tools/list');
    expect(changes()).to.have.length(1);
  });

  it('keeps a process in the background from one request to the next', async () => {
    const begun = await call(13, 'execute_command', {
      params: { arguments: { command: 'echo ready; sleep 60', background: true } },
    });
    const id = /p_[\w-]+/.exec(JSON.stringify(begun.result))?.[0];
    expect(id, JSON.stringify(begun)).to.be.a('string');
    const listed = JSON.stringify(await call(14, 'list_processes', { params: { arguments: {} } }));
    expect(listed).to.contain(id);
    await call(15, 'stop_process', { params: { arguments: { process_id: id } } });
  });

  it('still opens a session of an older revision for a client that only looked', async () => {
    send(initialize());
    const answered = await answer(0);
    expect(answered.result).to.have.property('protocolVersion', '2025-11-25');
    send({
      jsonrpc: '2.0',
      id: 11,
      method: 'tools/call',
      params: { name: 'echo', arguments: { message: 'old' } },
    });
    expect((await answer(11)).result).to.have.nested.property('content[0].text', 'Echo: old');
  });
});
