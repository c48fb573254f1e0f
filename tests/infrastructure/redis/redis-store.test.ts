import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { after, afterEach, beforeEach, describe, it } from 'mocha';
import type { RateVerdict } from '../../../src/application/ports/tool/rate-limits.js';
import { RedisConsumedStates } from '../../../src/infrastructure/redis/redis-consumed-states.js';
import { RedisInstanceLink } from '../../../src/infrastructure/redis/redis-instance-link.js';
import { RedisRateLimits } from '../../../src/infrastructure/redis/redis-rate-limits.js';
import { RedisSharedState } from '../../../src/infrastructure/redis/redis-shared-state.js';
import type { RedisStore } from '../../../src/infrastructure/redis/redis-store.js';
import { RedisTokenLedger } from '../../../src/infrastructure/redis/redis-token-ledger.js';
import { InMemoryRateLimits } from '../../../src/infrastructure/tool/in-memory-rate-limits.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { SYSTEM_CLOCK } from '../../contract/shared/both-ways.js';
import { eventually } from '../../support/eventually.js';
import { RedisServer } from '../../support/redis-server.js';
import { RedisStores } from '../../support/redis-stores.js';

/** The beginning of what Redis 7 says to whoever connects, before it closes. */
const PROTECTED =
  '-DENIED Redis is running in protected mode because protected mode is enabled and no password is set for the default user.';
const RATE = { limit: 5, perMs: 3_600_000, burst: 5 };

function ratesOf(store: RedisStore): RedisRateLimits {
  return new RedisRateLimits(store, new InMemoryRateLimits(SYSTEM_CLOCK));
}

const isFree = (verdict: RateVerdict): boolean => 'waitMs' in verdict && verdict.waitMs === 0;

async function joinFault(store: RedisStore): Promise<string> {
  return store.open().then(
    () => 'joined',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

describe('the store that instances share', () => {
  const stores = new RedisStores();
  beforeEach(() => stores.start());
  afterEach(() => stores.closeStores());
  after(() => stores.stop());

  it('is joined with one secret only', async () => {
    await stores.instance().open();
    const fault = await joinFault(stores.instance({ secret: 'another secret, which these do not have' }));
    expect(fault).to.contain('another secret').and.contain('CASTELLAN_REDIS_SECRET');
  });

  it('refuses data of another schema by name, and lets the version that wrote it be seen', async () => {
    const first = stores.instance({ version: '0.9.0' });
    await first.open();
    await first.command('HSET', first.key('store'), 'schema', 99);
    expect(await joinFault(stores.instance()))
      .to.contain('0.9.0')
      .and.contain('schema 99');
  });

  it('works as a user of the ACL with the rights that the documents name', async () => {
    const operator = stores.instance();
    await operator.open();
    const rights = '~castellan:* &castellan:* +@all -@dangerous +info'.split(' ');
    await operator.command(
      'ACL',
      'SETUSER',
      'app',
      'on',
      '>a-password',
      'resetkeys',
      'resetchannels',
      ...rights,
    );
    const url = stores.server.url.replace('redis://', 'redis://app:a-password@');
    const store = stores.instance({ url });
    const link = new RedisInstanceLink(store, new RecordingLogger());
    await store.open();
    expect(isFree(await ratesOf(store).take('k', RATE))).to.equal(true);
    expect(new RedisSharedState(store).status()).to.have.property('instances').with.length(2);
    expect(await link.isAlive(operator.instance)).to.equal(true);
    const wrong = stores.instance({ url: url.replace('a-password', 'hunter2') });
    await wrong.open();
    const fault = await wrong.command('PING').catch((error: unknown) => String(error));
    expect(fault).to.contain('Redis does not answer').and.not.contain('hunter2');
  });

  it('tells what kind of fault keeps Redis away, and no password', async () => {
    const operator = stores.instance();
    await operator.open();
    await operator.command('ACL', 'SETUSER', 'guest', 'on', '>a-password');
    const store = stores.instance({ url: stores.server.url.replace('redis://', 'redis://guest:hunter2@') });
    await store.open();
    const why = 'Redis does not answer (WRONGPASS).';
    expect(new RedisSharedState(store).status()).to.include({ state: 'away', why });
  });

  it('takes protected mode for a refusal, says so once and what to do, whatever the library thinks', async () => {
    const said: string[] = [];
    const { warn } = console;
    console.warn = (...words: readonly unknown[]) => void said.push(words.join(' '));
    let attempts = 0;
    const server = createServer((socket) => {
      attempts += 1;
      socket.on('error', () => undefined).end(`${PROTECTED}\r\n`);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    try {
      const store = stores.instance({ url: `redis://:a-password@127.0.0.1:${port}` });
      expect(await joinFault(store))
        .to.contain('protected mode')
        .and.contain('redis.url');
      await eventually('it tries again', () => attempts > 4);
      expect(new RedisSharedState(store).status()).to.have.property('state', 'refused');
      expect(said).to.deep.equal([]);
    } finally {
      console.warn = warn;
      server.close();
    }
  });

  it('refuses a cluster by name', async () => {
    const cluster = await RedisServer.start(['--cluster-enabled', 'yes']);
    try {
      expect(await joinFault(stores.instance({ url: cluster.url }))).to.contain('a Redis Cluster');
    } finally {
      await cluster.stop();
    }
  });

  it('gives every key a time to live', async () => {
    const store = stores.instance();
    const rates = ratesOf(store);
    const link = new RedisInstanceLink(store, new RecordingLogger());
    await store.open();
    await rates.take('k', RATE);
    await new RedisConsumedStates(store, new RecordingLogger()).consume('s', Date.now() + 1000);
    await new RedisTokenLedger(store).update((spent) => [...spent, { at: 1, caller: 'c', tokens: 1 }]);
    expect(await link.isAlive('nobody')).to.equal(false);
    const keys = await store.command('KEYS', `${store.key('')}*`);
    expect(keys).to.have.length.above(3);
    for (const key of Array.isArray(keys) ? keys : [])
      expect(Number(await store.command('PTTL', String(key))), String(key)).to.be.above(0);
  });

  it('does not obey messages that no instance has signed', async () => {
    const [one, two] = [stores.instance(), stores.instance()];
    const link = new RedisInstanceLink(two, new RecordingLogger());
    const heard: string[] = [];
    link.serve({ request: async (body) => void heard.push(body), message: (body) => heard.push(body) });
    await one.open();
    await two.open();
    const frame = { kind: 'ask', id: '1', body: 'rm -rf' };
    const text = JSON.stringify({ from: one.instance, to: two.instance, at: Date.now(), frame });
    const signature = one.sign('link', text);
    for (const forged of [
      text,
      `x${text}`,
      `${signature.slice(1)}A${text}`,
      signature + text.replace('rm', 'mv'),
    ])
      await one.publish(`to:${two.instance}`, forged);
    await one.publish(`to:${two.instance}`, signature + text);
    await one.publish(`to:${two.instance}`, signature + text);
    await eventually('the genuine one is heard', () => heard.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(heard, 'once, also where it is sent twice').to.deep.equal(['rm -rf']);
  });

  it('opens no limit and no state when Redis restarts empty, and goes on by itself', async () => {
    const [one, two] = [stores.instance(), stores.instance()];
    const [first, second] = [ratesOf(one), ratesOf(two)];
    const states = new RedisConsumedStates(one, new RecordingLogger());
    const ledger = new RedisTokenLedger(two);
    await one.open();
    await two.open();
    for (let n = 0; n < 5; n += 1) expect(isFree(await first.take('k', RATE))).to.equal(true);
    expect(isFree(await second.take('k', RATE))).to.equal(false);
    const key = Buffer.from(await states.sealingKey());
    await stores.server.stop();
    await eventually('it is noticed', () => one.state === 'lost' && two.state === 'lost');
    const denied = await second.take('k', { ...RATE, onStoreFailure: 'deny' });
    expect(denied).to.have.property('unavailable').that.contains('Redis');
    expect(isFree(await first.take('k', RATE)), 'left alone it goes on where it was').to.equal(false);
    expect(await states.consume('x', Date.now() + 1000)).to.equal(false);
    expect((await ledger.update((spent) => spent)).success).to.equal(false);
    await stores.server.restart();
    await eventually('both are back', () => one.state === 'joined' && two.state === 'joined');
    expect(isFree(await second.take('k', RATE))).to.equal(false);
    expect(isFree(await first.take('never before', RATE))).to.equal(false);
    expect(Buffer.from(await states.sealingKey()), 'states of before are not accepted').not.to.deep.equal(
      key,
    );
    const window = await ledger.update((spent) => spent, 60_000);
    expect(window.success ? '' : window.error).to.contain('lost what was spent');
  });

  it('says of an owner that dies during a call that the call is lost, and never runs it twice', async () => {
    const [one, two] = [stores.instance(), stores.instance()];
    const [asker, owner] = [
      new RedisInstanceLink(one, new RecordingLogger()),
      new RedisInstanceLink(two, new RecordingLogger()),
    ];
    let begun = 0;
    owner.serve({
      request: () => {
        begun += 1;
        return new Promise(() => undefined);
      },
      message: () => undefined,
    });
    await one.open();
    await two.open();
    const asked = asker.ask(two.instance, 'x', () => undefined);
    await eventually('it has begun', () => begun === 1);
    await two.close();
    expect(await asked).to.equal('lost');
    expect(await asker.ask(two.instance, 'y', () => undefined)).to.equal('not-delivered');
    expect(begun).to.equal(1);
  });
});
