import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Sessions } from '../../../src/application/session/sessions.js';
import { hashOf } from '../../../src/infrastructure/auth/token-file.js';
import { eventually } from '../../support/eventually.js';
import { eventsOf, messagesOf } from '../../support/http-client.js';
import { listeningCastellan, TOKEN } from '../../support/http-host.js';
import { isolatedOptions } from '../../support/isolated-options.js';
import { initialize } from '../../support/wire.js';

const OWN = isolatedOptions();
const OTHER_KEY = 'another-key-of-the-policy';
const POLICY = join(OWN.workspace, 'policy.yaml');
writeFileSync(
  POLICY,
  `version: 1
principals:
  - { match: { api_key: "${hashOf(TOKEN)}" }, roles: [default] }
  - { match: { api_key: "${hashOf(OTHER_KEY)}" }, roles: [viewer] }
roles:
  default: { tools: ["*"] }
  viewer: { tools: [echo] }
`,
);

const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
const call = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });

describe('Castellan over HTTP', () => {
  let host: Awaited<ReturnType<typeof listeningCastellan>>;
  beforeEach(async () => {
    host = await listeningCastellan({ ...OWN, policy: POLICY });
  });
  afterEach(async () => {
    host.gate.open();
    await host.castellan.close();
  });

  const opened = async (version?: string, capabilities?: object) => {
    const client = host.client();
    await client.open(version, capabilities);
    return client;
  };

  describe('conversations', () => {
    for (const version of ['2025-03-26', '2025-06-18', '2025-11-25']) {
      it(`serves a client of ${version} with plain JSON: initialize, tools/list, tools/call`, async () => {
        const client = host.client();
        const answer = await client.open(version);
        expect(answer.status).to.equal(200);
        expect(answer.headers['content-type']).to.equal('application/json');
        expect(messagesOf(answer)).to.have.nested.property('[0].result.protocolVersion', version);
        expect(client.session).to.match(/^[0-9a-f-]{36}$/);
        const listed = await client.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
        expect(listed.text).to.contain('"echo"');
        const [called] = await client.call(2, 'echo', { message: 'hi' });
        expect(called).to.have.nested.property('result.content[0].text', 'Echo: hi');
      });
    }

    it('streams where something comes before the answer, with ids to resume from', async () => {
      const client = await opened();
      const answer = await client.post({
        ...call(1, 'progressing'),
        params: { name: 'progressing', _meta: { progressToken: 'p' } },
      });
      expect(answer.headers['content-type']).to.equal('text/event-stream');
      expect(answer.headers['x-accel-buffering']).to.equal('no');
      const events = eventsOf(answer.text);
      expect(events.map(({ id }) => id)).to.deep.equal(['1_0', '1_1', '1_2', '1_3']);
      expect(events[0]?.message).to.equal(undefined);
      expect(messagesOf(answer).map(({ method, id }) => method ?? id)).to.deep.equal([
        'notifications/progress',
        'notifications/message',
        1,
      ]);
    });

    it('does not prime streams of clients before 2025-11-25, which would choke on an empty event', async () => {
      const client = await opened('2025-06-18');
      const answer = await client.post(call(1, 'progressing'));
      expect(eventsOf(answer.text).every(({ message }) => message !== undefined)).to.equal(true);
    });

    it('asks the client on the stream of the call, and takes the answer from another POST', async () => {
      const client = await opened('2025-11-25', { elicitation: {} });
      let text = '';
      const stream = await client.listen((part) => (text += part), {}, call(1, 'asking'));
      await eventually('the question comes', () => text.includes('elicitation/create'));
      const question = eventsOf(text).find(
        ({ message }) => message?.method === 'elicitation/create',
      )?.message;
      const answered = await client.post({
        jsonrpc: '2.0',
        id: question?.id,
        result: { action: 'accept', content: { yes: true } },
      });
      expect(answered.status).to.equal(202);
      await stream.over;
      expect(eventsOf(text).at(-1)?.message).to.have.nested.property('result.content[0].text', 'accept');
    });

    it('answers a batch of 2025-03-26 with an array, and refuses one of a later revision', async () => {
      const client = await opened('2025-03-26');
      const answer = await client.post([ping(1), { jsonrpc: '2.0', method: 'notifications/x' }, ping(2)]);
      expect(messagesOf(answer).map(({ id }) => id)).to.deep.equal([1, 2]);
      expect(JSON.parse(answer.text)).to.be.an('array');
      const later = await opened('2025-11-25');
      expect(messagesOf(await later.post([ping(1)]))).to.have.nested.property('[0].error.code', -32600);
    });

    it('a disconnect does not cancel; a cancellation does, and its POST ends without an answer', async () => {
      const client = await opened();
      const abandon = client.begin(call(1, 'waiting'));
      await eventually('it runs', () => host.gate.entered === 1);
      await abandon();
      expect((await client.post(ping(9))).status).to.equal(200);
      expect(host.gate.aborted).to.equal(false);
      const other = client.post(call(2, 'waiting'));
      await eventually('the second runs', () => host.gate.entered === 2);
      await client.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } });
      expect((await other).status).to.equal(202);
      expect(host.gate.aborted).to.equal(true);
    });
  });

  describe('streams', () => {
    it('carry notices of changes on the standing stream, and what was missed to whoever resumes it', async () => {
      const client = await opened();
      let text = '';
      const stream = await client.listen((part) => (text += part));
      expect(stream.status).to.equal(200);
      await eventually('it is primed', () => text.includes('id: n_0'));
      stream.end();
      await stream.over;
      const { caller } = host.castellan.session;
      expect(caller.transport).to.equal('embedded');
      host.castellan.container
        .get<{ unregister(name: string): boolean }>(Symbol.for('castellan.ToolRegistry'))
        .unregister('cutting');
      let later = '';
      const resumed = await client.listen((part) => (later += part), { 'last-event-id': 'n_0' });
      await eventually('the notice comes', () => later.includes('notifications/tools/list_changed'));
      resumed.end();
    });

    it('are resumed after the tool has cut its connection, and the answer is there', async () => {
      const client = await opened();
      const answer = await client.post(call(1, 'cutting'));
      const events = eventsOf(answer.text);
      expect(events.map(({ message }) => message?.method)).to.deep.equal([
        undefined,
        'notifications/message',
      ]);
      let text = '';
      const resumed = await client.listen((part) => (text += part), {
        'last-event-id': events.at(-1)?.id ?? '',
      });
      await resumed.over;
      expect(eventsOf(text).map(({ message }) => message?.id)).to.deep.equal([1]);
      const whole = await client.send('GET', undefined, { 'last-event-id': '1_0' });
      expect(eventsOf(whole.text)).to.have.length(2);
    });

    it('are not resumed from an event of another stream, session or nowhere', async () => {
      const client = await opened();
      await client.post(call(1, 'cutting'));
      const other = await opened();
      for (const [who, id] of [
        [client, '9_0'],
        [client, '1_99'],
        [client, 'x'],
        [client, '../..'],
        [other, '1_0'],
      ] as const)
        expect((await who.send('GET', undefined, { 'last-event-id': id })).status, id).to.equal(400);
    });
  });

  describe('sessions', () => {
    it('end with DELETE: whoever listens hears of it, and nobody finds them after', async () => {
      const ended: string[] = [];
      host.castellan.container.get(Sessions).onEnd(({ caller }) => ended.push(caller.transport));
      const client = await opened();
      expect((await client.send('DELETE', undefined)).status).to.equal(200);
      await eventually('it ends', () => ended.length === 1);
      expect(ended).to.deep.equal(['http']);
      for (const method of ['POST', 'GET', 'DELETE'])
        expect(
          (await client.send(method, method === 'POST' ? JSON.stringify(ping(1)) : undefined)).status,
        ).to.equal(404);
    });

    it('belong to the caller that opened them', async () => {
      const client = await opened();
      const thief = host.client(OTHER_KEY);
      thief.session = client.session;
      expect((await thief.post(ping(1))).status).to.equal(404);
      expect((await thief.send('GET', undefined)).status).to.equal(404);
      expect((await thief.send('DELETE', undefined)).status).to.equal(404);
      expect((await client.post(ping(1))).status).to.equal(200);
    });

    it('have the tools of their principal', async () => {
      const viewer = host.client(OTHER_KEY);
      await viewer.open();
      const listed = messagesOf(await viewer.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }));
      expect(listed).to.have.nested.property('[0].result.tools').with.length(1);
      expect(await viewer.call(2, 'read_file', { path: 'x' })).to.have.nested.property(
        '[0].error.code',
        -32602,
      );
    });

    it('that never began do not stay', async () => {
      const client = host.client();
      const wrong = await client.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} });
      expect(messagesOf(wrong)).to.have.nested.property('[0].error.code', -32602);
      client.session = String(wrong.headers['mcp-session-id']);
      await eventually('it is gone', async () => (await client.post(ping(2))).status === 404);
    });
  });

  it('refuses a request with two names for the server', async () => {
    const { hostname, port } = new URL(host.url);
    const names = `Host: ${hostname}\r\nhost: evil.example\r\n`;
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST /mcp HTTP/1.1\r\n${names}Authorization: Bearer ${TOKEN}\r\nContent-Length: 0\r\n\r\n`,
        );
      });
      socket.once('data', (data) => {
        socket.destroy();
        resolve(String(data));
      });
    });
    expect(answer).to.match(/^HTTP\/1.1 403 /);
  });

  it('refuses what is wrong with the status that says so, before a body is read', async () => {
    const client = await opened();
    const port = new URL(host.url).port;
    const body = JSON.stringify(ping(1));
    const table: readonly (readonly [
      string,
      string,
      string | undefined,
      Record<string, string | undefined>,
      number,
    ])[] = [
      ['no token', 'POST', body, { authorization: undefined }, 401],
      ['a wrong token', 'POST', body, { authorization: 'Bearer nonsense' }, 401],
      ['another scheme', 'POST', body, { authorization: 'Basic YTpi' }, 401],
      ['an empty token', 'POST', body, { authorization: 'Bearer ' }, 401],
      ['a name of somebody else', 'POST', body, { host: `evil.example:${port}` }, 403],
      ['a name that only begins like ours', 'POST', body, { host: 'localhost.evil.example' }, 403],
      ['a foreign page', 'POST', body, { origin: 'https://evil.example' }, 403],
      ['a page without origin', 'POST', body, { origin: 'null' }, 403],
      ['a local page', 'POST', body, { origin: `http://localhost:${port}` }, 200],
      ['no session', 'POST', body, { 'mcp-session-id': undefined }, 400],
      ['an unknown session', 'POST', body, { 'mcp-session-id': 'x' }, 404],
      ['an unknown revision', 'POST', body, { 'mcp-protocol-version': '1999-01-01' }, 400],
      ['JSON alone', 'POST', body, { accept: 'application/json' }, 406],
      ['another type', 'POST', body, { 'content-type': 'text/plain' }, 415],
      ['what is not JSON', 'POST', '{', {}, 400],
      ['JSON that is no message', 'POST', '{"a":1}', {}, 400],
      ['too much', 'POST', `"${'x'.repeat(5 * 1024 * 1024)}"`, {}, 413],
      ['another method', 'PUT', body, {}, 405],
      ['a stream that is not wanted', 'GET', undefined, { accept: 'application/json' }, 406],
    ];
    for (const [what, method, sent, headers, status] of table) {
      const answer = await client
        .send(method, sent, headers)
        .catch((error: Error) => ({ status: 413, error }));
      expect(answer.status, what).to.equal(status);
    }
    const unknown = await client.post(ping(1), { authorization: undefined });
    expect(unknown.headers['www-authenticate']).to.equal('Bearer realm="castellan"');
    const wrong = await client.post(ping(1), { authorization: 'Bearer x' });
    expect(wrong.headers['www-authenticate']).to.contain('error="invalid_token"');
  });

  it('answers what is under way when it closes, and refuses what comes', async () => {
    const client = await opened();
    const running = client.post(call(1, 'waiting'));
    await eventually('it runs', () => host.gate.entered === 1);
    const closing = host.castellan.close();
    await eventually('it refuses', async () => {
      const late = await client.post(initialize()).catch(() => undefined);
      return late?.status === 503 && late.headers.connection === 'close';
    });
    host.gate.open();
    expect(messagesOf(await running)).to.have.nested.property('[0].result.content[0].text', 'waited');
    await closing;
    expect(
      await client.post(ping(2)).then(
        () => 'answered',
        () => 'refused',
      ),
    ).to.equal('refused');
  });
});
