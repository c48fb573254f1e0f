import { expect } from 'chai';
import { type FlagName, parseFlagName } from '../../../src/domain/flag/flag.js';
import { RedisFlagStore } from '../../../src/infrastructure/flag/redis-flag-store.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { eventually } from '../../support/eventually.js';
import { RedisServer } from '../../support/redis-server.js';

const PASSWORD = 'correct-horse-battery';

function name(raw: string): FlagName {
  const parsed = parseFlagName(raw);
  if (!parsed.success) throw new Error(parsed.error);
  return parsed.value;
}

describe('RedisFlagStore', () => {
  let server: RedisServer;
  let store: RedisFlagStore;
  let logger: RecordingLogger;

  before(async () => {
    server = await RedisServer.start();
  });

  after(() => server.stop());

  beforeEach(() => {
    logger = new RecordingLogger();
    store = new RedisFlagStore({ url: server.url, project: 'p' }, logger);
  });

  afterEach(() => store.close());

  it('says clearly that Redis is away, and works again by itself when it is back', async () => {
    expect((await store.set('project', name('a'), true)).success).to.equal(true);
    await server.stop();
    for (const outcome of [await store.all('project'), await store.set('project', name('a'), false)]) {
      if (outcome.success) throw new Error('it cannot have succeeded');
      expect(outcome.errorType).to.equal('FlagStoreUnavailable');
      expect(outcome.error).to.match(/Redis does not answer .*connects again by itself/);
    }
    await server.restart();
    await eventually('it works again', async () => (await store.all('project')).success);
    expect((await store.set('project', name('a'), 'back')).success).to.equal(true);
    const flags = await store.all('project');
    expect(flags.success && flags.value.get('a')).to.equal('back');
  });

  it('tells its listeners after an outage that they may have missed something', async () => {
    let heard = 0;
    store.onChange(() => {
      heard += 1;
    });
    await eventually('it listens', () => heard >= 2);
    await server.stop();
    // Not after the restart, at whose end it may have spoken up already.
    const before = heard;
    await server.restart();
    await eventually('it speaks up after the outage', () => heard > before);
  });

  it('listens as soon as it may when Redis refused it at first', async () => {
    const { Redis } = await import('ioredis');
    const admin = new Redis(server.url);
    try {
      await admin.acl('SETUSER', 'default', 'resetchannels');
      let heard = 0;
      store.onChange(() => {
        heard += 1;
      });
      await eventually('it was refused', () => JSON.stringify(logger.records).includes('ReplyError'));
      expect(heard).to.equal(0);
      await admin.acl('SETUSER', 'default', 'allchannels');
      await eventually('it listens', () => heard >= 2);
    } finally {
      await admin.acl('SETUSER', 'default', 'allchannels');
      admin.disconnect();
    }
  });

  it('keeps projects apart from each other', async () => {
    const other = new RedisFlagStore({ url: server.url, project: 'q' }, logger);
    await store.set('project', name('mine'), true);
    await store.set('global', name('ours'), true);
    const theirs = await other.all('project');
    expect(theirs.success && theirs.value.size).to.equal(0);
    const shared = await other.all('global');
    expect(shared.success && shared.value.get('ours')).to.equal(true);
    await other.close();
  });

  it('holds a thousand flags of a scope, of which each can still be changed and removed', async () => {
    const many = new RedisFlagStore({ url: server.url, project: 'many' }, logger);
    const set = (flag: string, value: boolean | undefined) => many.set('project', name(flag), value);
    for (const done of await Promise.all(Array.from({ length: 1000 }, (_, n) => set(`f${n}`, true))))
      expect(done.success).to.equal(true);
    const refused = await set('one-more', true);
    expect(!refused.success && refused.errorType).to.equal('FlagStoreFull');
    expect((await set('f7', false)).success).to.equal(true);
    expect((await set('f8', undefined)).success).to.equal(true);
    expect((await set('one-more', true)).success).to.equal(true);
    await many.close();
  });

  it('takes what others wrote into its hash for an error, not for a flag', async () => {
    const { Redis } = await import('ioredis');
    const foreign = new Redis(server.url);
    await foreign.hset('castellan:flags:project:p', 'strange', '{not json');
    const flags = await store.all('project');
    if (flags.success) throw new Error('it was taken for a flag');
    expect(flags.error).to.match(/The flag strange in Redis is not what Castellan writes/);
    await foreign.hdel('castellan:flags:project:p', 'strange');
    foreign.disconnect();
  });

  it('never shows the password of its address, neither in errors nor in the log', async () => {
    const away = new RedisFlagStore({ url: `redis://user:${PASSWORD}@127.0.0.1:1`, project: 'p' }, logger);
    const flags = await away.all('global');
    await away.close();
    expect(flags.success).to.equal(false);
    expect(JSON.stringify([flags, logger.records])).not.to.include(PASSWORD);
  });
});
