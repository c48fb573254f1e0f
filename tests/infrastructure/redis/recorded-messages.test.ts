import { expect } from 'chai';
import { after, afterEach, beforeEach, describe, it } from 'mocha';
import { STORE_SCHEMA } from '../../../src/infrastructure/redis/join-scripts.js';
import { readFrame, writeFrame } from '../../../src/infrastructure/redis/link-frames.js';
import { RedisSessionDirectory } from '../../../src/infrastructure/redis/redis-session-directory.js';
import type { RedisStore } from '../../../src/infrastructure/redis/redis-store.js';
import { RedisStores } from '../../support/redis-stores.js';

/**
 * As builds of this schema write them. Where one of these must change, an instance of the build before cannot read
 * what the new one writes: raise STORE_SCHEMA and record anew.
 */
const RECORDED = {
  schema: 2,
  beat: /^\d+ \{"version":"1\.0\.0","schema":2,"skewMs":-?\d+\}$/,
  frame: /^[\w-]{43}\{"from":"i\d+","to":"i\d+","at":\d+,"frame":\{"kind":"ask","id":"a","body":"b"\}\}$/,
  session: {
    id: 'sid',
    sessionId: 'inner',
    callerKey: 'caller',
    owner: 'i1',
    handshake: '{}',
    choices: '[]',
    processes: '[]',
  },
} as const;

describe('what instances of one schema write for each other', () => {
  const stores = new RedisStores();
  let store: RedisStore;
  beforeEach(async () => {
    await stores.start();
    store = stores.instance();
    await store.open();
  });
  afterEach(() => stores.closeStores());
  after(() => stores.stop());

  it('is recorded for the schema in force', () => {
    expect(STORE_SCHEMA).to.equal(RECORDED.schema);
  });

  it('tells of an instance in one hash of all, as recorded', async () => {
    expect(await store.command('HGET', store.key('instances'), store.instance)).to.match(RECORDED.beat);
    expect(await store.command('GET', store.key('instance', store.instance))).to.equal('1');
  });

  it('signs frames of the recorded shape, and reads them', async () => {
    const other = stores.instance();
    await other.open();
    const frame = { kind: 'ask', id: 'a', body: 'b' } as const;
    const text = writeFrame(store, other.instance, frame);
    expect(text).to.match(RECORDED.frame);
    expect(readFrame(other, text)).to.deep.equal({ from: store.instance, frame });
  });

  it('ignores a frame and a field that a later build adds', async () => {
    const other = stores.instance();
    await other.open();
    const later = {
      from: store.instance,
      to: other.instance,
      at: Date.now(),
      hop: 1,
      frame: { kind: 'tell', body: 'b' },
    };
    const text = JSON.stringify(later);
    expect(readFrame(other, store.sign('link', text) + text)?.frame).to.deep.equal(later.frame);
  });

  it('reads a session as recorded, also one with fields it does not know', async () => {
    const key = store.key('session', RECORDED.session.id);
    await store.command('HSET', key, ...Object.entries(RECORDED.session).flat(), 'later', 'x');
    const found = await new RedisSessionDirectory(store, 60_000).get(RECORDED.session.id);
    expect(found).to.deep.include({ success: true, value: RECORDED.session });
  });

  it('writes a session as recorded', async () => {
    const { session } = RECORDED;
    await new RedisSessionDirectory(store, 60_000).add(session);
    const names = await store.command('HKEYS', store.key('session', session.id));
    expect(names).to.have.members([...Object.keys(session), 'usedAt']);
  });

  it('refuses the builds before, whose locks and beats nobody else saw', async () => {
    await store.command('HSET', store.key('store'), 'schema', 1);
    const fault = await stores.instance().open().catch(String);
    expect(fault).to.contain('schema 1, ours is 2').and.contain('Stop them first');
  });
});
