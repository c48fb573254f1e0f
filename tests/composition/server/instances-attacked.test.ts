import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { hashOf } from '../../../src/infrastructure/auth/token-file.js';
import { eventually } from '../../support/eventually.js';
import { eventsOf, HttpClient } from '../../support/http-client.js';
import { listeningCastellan } from '../../support/http-host.js';
import { isolatedOptions } from '../../support/isolated-options.js';
import { RedisServer } from '../../support/redis-server.js';
import { initialize } from '../../support/wire.js';

const KEYS = { red: 'the-key-of-the-red-team', blue: 'the-key-of-the-blue-team' };
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('sessions of several instances', () => {
  const own = isolatedOptions();
  const policy = join(own.workspace, 'policy.yaml');
  const principal = (key: string) => `  - { match: { api_key: "${hashOf(key)}" }, roles: [default] }\n`;
  writeFileSync(
    policy,
    `version: 1\nextends: [builtin:workspace]\nprincipals:\n${Object.values(KEYS).map(principal).join('')}`,
  );
  let redis: RedisServer;
  let urls: readonly string[] = [];
  let instances: Awaited<ReturnType<typeof listeningCastellan>>[] = [];

  before(async () => {
    redis = await RedisServer.start();
  });
  beforeEach(async () => {
    const environment = { ...own.environment, CASTELLAN_REDIS_URL: redis.url };
    const start = () => listeningCastellan({ ...own, policy, environment });
    instances = await Promise.all([start(), start()]);
    urls = instances.map(({ url }) => url);
  });
  afterEach(() => Promise.all(instances.map(({ castellan }) => castellan.close())));
  after(() => redis.stop());

  const clientAt = (place: number, team: keyof typeof KEYS, session?: string) => {
    const client = new HttpClient(urls[place] ?? '', KEYS[team]);
    client.session = session;
    return client;
  };

  it('are not lost to their caller when another caller names them at the same moment', async () => {
    for (let round = 0; round < 20; round += 1) {
      const mine = clientAt(0, 'red');
      await mine.open();
      const others = [1, 2, 3].map(() => clientAt(1, 'blue', mine.session).post(PING));
      const own = [1, 2, 3].map(() => clientAt(1, 'red', mine.session).post(PING));
      const statuses = (await Promise.all([...others, ...own])).map(({ status }) => status);
      expect(statuses).to.deep.equal([404, 404, 404, 200, 200, 200]);
    }
  });

  it('are not said to have ended while the others cannot be told', async () => {
    const [here, there] = [clientAt(0, 'red'), clientAt(1, 'red')];
    await here.open();
    there.session = here.session;
    expect((await there.post(PING)).status).to.equal(200);
    await redis.pause();
    await eventually('that is noticed', async () => (await here.send('DELETE', undefined)).status === 503);
    expect((await here.post(PING)).status).to.equal(200);
    await redis.restart();
    await eventually('it can end', async () => (await here.send('DELETE', undefined)).status === 200);
    for (const client of [here, there])
      await eventually('it has ended', async () => (await client.post(PING)).status === 404);
  });

  it('begin once', async () => {
    const client = clientAt(0, 'red');
    await client.open();
    const again = await clientAt(1, 'red', client.session).post(initialize());
    expect(again.status).to.equal(400);
    expect(again.text).to.contain('without a session id');
    expect((await client.post(PING)).status).to.equal(200);
  });

  it('have one reader of a stream that another instance writes, and none after their end', async () => {
    const client = clientAt(0, 'red');
    await client.open(undefined, { elicitation: {} });
    let text = '';
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'asking' } };
    await client.listen((part) => (text += part), {}, call);
    await eventually('a question', () => text.includes('elicitation/create'));
    const seen = { 'last-event-id': eventsOf(text)[0]?.id ?? '' };
    const reader = () => clientAt(1, 'red', client.session).listen(() => undefined, seen);
    // The client may have an event before Redis has it.
    await eventually('the stream is known elsewhere', async () => (await reader()).status === 200);
    const [first, second] = [await reader(), await reader()];
    expect([first.status, second.status]).to.deep.equal([200, 200]);
    await first.over;
    expect((await client.send('DELETE', undefined)).status).to.equal(200);
    await second.over;
  });
});
