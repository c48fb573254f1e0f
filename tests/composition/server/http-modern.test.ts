import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, afterEach, before, describe, it } from 'mocha';
import { Result } from '../../../src/domain/result.js';
import { ToolResult } from '../../../src/domain/tool/tool-result.js';
import { hashOf } from '../../../src/infrastructure/auth/token-file.js';
import { eventually } from '../../support/eventually.js';
import { listeningCastellan, TOKEN } from '../../support/http-host.js';
import { isolatedOptions } from '../../support/isolated-options.js';
import { allMessages, ModernClient, modernHeaders, modernMessage } from '../../support/modern-client.js';
import { definition } from '../../support/sample-tool.js';
import type { WireMessage } from '../../support/wire.js';

const OWN = isolatedOptions();
const OTHER_KEY = 'another-key-of-the-policy';
// Outside of the workspace: a change of a file that commands could write would wait to be trusted.
const OUTSIDE = mkdtempSync(join(tmpdir(), 'castellan-policy-'));
const POLICY = join(OUTSIDE, 'policy.yaml');
const policyText = (more = '') => `version: 1
principals:
  - { match: { api_key: "${hashOf(TOKEN)}" }, roles: [default] }
  - { match: { api_key: "${hashOf(OTHER_KEY)}" }, roles: [default] }
roles:
  default: { tools: ["*"] }
tools:
  echo: { consent: always }
${more}`;
writeFileSync(POLICY, policyText());

const ELICITS = { elicitation: {} };
const ACCEPT = { action: 'accept', content: {} };

describe('Castellan over HTTP, 2026-07-28', () => {
  let host: Awaited<ReturnType<typeof listeningCastellan>>;
  let client: ModernClient;
  let runs: string[] = [];
  before(async () => {
    const twice = definition({
      name: 'twice',
      run: async (_args, _needs, context) => {
        runs.push('begun');
        const first = await context.elicit({ message: 'First?', fields: {} });
        const second = await context.elicit({ message: 'Second?', fields: {} });
        runs.push('done');
        return Result.ok(ToolResult.text(`${first.action} ${second.action}`));
      },
    });
    host = await listeningCastellan({ ...OWN, policy: POLICY, tools: [twice] });
    client = new ModernClient(host.client());
  });
  afterEach(() => {
    runs = [];
  });
  after(async () => {
    host.gate.open();
    await host.castellan.close();
    rmSync(OUTSIDE, { recursive: true, force: true });
  });

  const ask = (args: object = { message: 'hi' }, who = client) =>
    who.call('echo', args, { capabilities: ELICITS });
  const retry = (state: unknown, args: object = { message: 'hi' }, who = client, responses?: object) =>
    who.call('echo', args, {
      capabilities: ELICITS,
      params: { requestState: state, inputResponses: responses ?? { 'question-1': ACCEPT } },
    });
  const stateOf = ({ result }: WireMessage) => {
    expect(result?.resultType).to.equal('input_required');
    return result?.requestState;
  };
  const refused = ({ error }: WireMessage) => expect(error?.code).to.equal(-32602);

  it('is found with server/discover, and lists with hints for caches', async () => {
    const found = await client.request('server/discover');
    expect(found.result).to.include({ resultType: 'complete', cacheScope: 'public' });
    expect(found.result?.supportedVersions).to.deep.equal(['2026-07-28']);
    const listed = await client.request('tools/list');
    expect(JSON.stringify(listed.result)).to.contain('"name":"echo"');
    expect(listed.result).to.include({ cacheScope: 'private', ttlMs: 5000 });
  });

  it('refuses what is wrong with the status and code that say so', async () => {
    const status = async (answer: ReturnType<typeof client.send>) => {
      const found = await answer;
      const { id, error } = JSON.parse(found.text);
      return [found.status, error.code, id];
    };
    const version = { 'mcp-protocol-version': '2099-01-01' };
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    expect(await status(client.send('no/method'))).to.deep.equal([404, -32601, 1]);
    expect(await status(client.send('tools/list', { meta }, version))).to.deep.equal([400, -32022, 1]);
    expect(await status(client.send('tools/list', {}, version))).to.deep.equal([400, -32020, 1]);
    expect(await status(client.send('tools/list', {}, { 'mcp-method': 'tools/call' }))).to.deep.equal([
      400, -32020, 1,
    ]);
    expect(await status(client.send('tools/call', { params: { name: 'no_tool' } }))).to.deep.equal([
      200, -32602, 1,
    ]);
    for (const method of ['GET', 'DELETE']) {
      const answer = await client.http.send(method, undefined, { 'mcp-protocol-version': '2026-07-28' });
      expect(answer.status).to.equal(405);
      expect(answer.headers.allow).to.equal('POST');
    }
    const unknown = await new ModernClient(host.client('wrong-token-of-somebody')).send('tools/list');
    expect(unknown.status).to.equal(401);
  });

  it('streams progress, and log messages only where they were asked for', async () => {
    const call = (meta: object) => client.send('tools/call', { params: { name: 'progressing' }, meta });
    const quiet = await call({});
    expect(quiet.headers['content-type']).to.equal('application/json');
    const loud = await call({ progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'info' });
    expect(loud.headers['x-accel-buffering']).to.equal('no');
    expect(allMessages(loud).map(({ method, id }) => method ?? id)).to.deep.equal([
      'notifications/progress',
      'notifications/message',
      1,
    ]);
  });

  describe('consent', () => {
    it('is asked for in the answer, and given with the same call', async () => {
      const asked = await ask();
      const questions = JSON.stringify(asked.result?.inputRequests);
      expect(questions).to.contain('elicitation/create').and.contain('Allow echo?');
      const done = await retry(stateOf(asked));
      expect(done.result).to.have.nested.property('content[0].text', 'Echo: hi');
    });

    it('holds once', async () => {
      const state = stateOf(await ask());
      const all = await Promise.all([retry(state), retry(state), retry(state)]);
      expect(all.filter(({ result }) => result !== undefined)).to.have.length(1);
      refused(await retry(state));
    });

    it('holds for this caller, tool and arguments, and as it was sealed', async () => {
      const other = new ModernClient(host.client(OTHER_KEY));
      refused(await retry(stateOf(await ask()), { message: 'hi' }, other));
      refused(await retry(stateOf(await ask()), { message: 'something else' }));
      refused(await retry(`${stateOf(await ask())}x`));
      refused(await retry('v1.e30.AAAA'));
      const params = { requestState: stateOf(await ask()), inputResponses: { 'question-1': ACCEPT } };
      refused(await client.call('asking', { message: 'hi' }, { capabilities: ELICITS, params }));
    });

    it('cannot be given to a question that was not asked', async () => {
      stateOf(await retry(undefined));
      stateOf(await retry(stateOf(await ask()), undefined, client, { another: ACCEPT }));
      stateOf(await retry(stateOf(await ask()), undefined, client, { 'question-1': { action: 'perhaps' } }));
      const declined = await retry(stateOf(await ask()), undefined, client, {
        'question-1': { action: 'decline' },
      });
      expect(declined.result).to.have.property('isError', true);
    });

    it('ends with the policy under which it was given, and after ten minutes', async () => {
      const state = stateOf(await ask());
      const now = Date.now;
      try {
        Date.now = () => now() + 601_000;
        refused(await retry(state));
      } finally {
        Date.now = now;
      }
      const before = stateOf(await ask());
      writeFileSync(POLICY, policyText('  read_file: { consent: always }\n'));
      await eventually('the policy asks before a file is read', async () =>
        JSON.stringify(
          await client.call('read_file', { path: 'some.txt' }, { capabilities: ELICITS }),
        ).includes('elicitation'),
      );
      refused(await retry(before));
    });

    it('is refused in words where the client cannot ask', async () => {
      const answer = await client.call('echo', { message: 'hi' });
      expect(answer.result).to.have.property('isError', true);
      expect(JSON.stringify(answer.result)).to.contain('this client cannot ask');
    });
  });

  it('asks a handler again from its beginning, with every answer that was given', async () => {
    const round = (params: object) =>
      client.call('twice', {}, { capabilities: ELICITS, params: { ...params } });
    const first = await round({});
    expect(Object.keys(Object(first.result?.inputRequests))).to.deep.equal(['question-1']);
    const second = await round({
      requestState: stateOf(first),
      inputResponses: { 'question-1': ACCEPT },
    });
    expect(Object.keys(Object(second.result?.inputRequests))).to.deep.equal(['question-2']);
    const third = await round({
      requestState: stateOf(second),
      inputResponses: { 'question-2': { action: 'decline' } },
    });
    expect(third.result).to.have.nested.property('content[0].text', 'accept decline');
    expect(runs).to.deep.equal(['begun', 'begun', 'begun', 'done']);
  });

  it('closing the stream cancels the call', async () => {
    host.gate.aborted = false;
    const entered = host.gate.entered;
    const hangUp = client.http.begin(
      modernMessage('tools/call', { params: { name: 'waiting' } }),
      modernHeaders('tools/call', { name: 'waiting' }),
    );
    await eventually('the call runs', () => host.gate.entered === entered + 1);
    await hangUp();
    await eventually('the call is stopped', () => host.gate.aborted);
  });

  it('tells subscribers of what they asked for, until they go', async () => {
    let text = '';
    const params = { notifications: { toolsListChanged: true } };
    const stream = await client.http.listen(
      (part) => {
        text += part;
      },
      modernHeaders('subscriptions/listen'),
      modernMessage('subscriptions/listen', { params, id: 7 }),
    );
    expect(stream.status).to.equal(200);
    await eventually('it is acknowledged', () => text.includes('notifications/subscriptions/acknowledged'));
    const session = host.castellan.sessionOf({
      id: `key-${hashOf(TOKEN).slice(7, 19)}`,
      transport: 'http',
      apiKeyHash: hashOf(TOKEN),
    });
    host.castellan.hideTool('system_info', session);
    await eventually('the change is told', () => text.includes('notifications/tools/list_changed'));
    expect(text).to.contain('"io.modelcontextprotocol/subscriptionId":7');
    stream.end();
    await stream.over;
    host.castellan.showTool('system_info', session);
  });
});
