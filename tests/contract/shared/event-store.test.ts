import { expect } from 'chai';
import { after, describe, it } from 'mocha';
import type { EventStore } from '../../../src/application/ports/session/event-store.js';
import { RedisEventStore } from '../../../src/infrastructure/redis/redis-event-store.js';
import { sessionKey } from '../../../src/infrastructure/redis/redis-session-directory.js';
import { InMemoryEventStore } from '../../../src/infrastructure/session/in-memory-event-store.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { eventually } from '../../support/eventually.js';
import { RedisStores } from '../../support/redis-stores.js';
import { bothWays } from './both-ways.js';

bothWays<EventStore>(
  'EventStore',
  () => new InMemoryEventStore(),
  (store) => new RedisEventStore(store, new RecordingLogger()),
  (pair) => {
    it('gives back what followed on a stream, at any instance', async () => {
      const [one, two] = pair();
      one.begin('s', 'a', '[1]');
      for (let n = 1; n <= 5; n += 1) {
        one.append('s', 'a', { sequence: n, data: `a${n}` });
        one.append('s', 'b', { sequence: n, data: `b${n}` });
      }
      await eventually('all is kept', async () => (await two.after('s', 'b', 4))?.events.length === 1);
      expect(await two.after('s', 'a', 3)).to.deep.equal({
        events: [
          { sequence: 4, data: 'a4' },
          { sequence: 5, data: 'a5' },
        ],
        ended: false,
        about: '[1]',
      });
      one.end('s', 'a');
      await eventually('the end is kept', async () => (await two.after('s', 'a', 5))?.ended === true);
      expect((await two.after('s', 'a', 5))?.events).to.deep.equal([]);
      expect((await two.after('t', 'a', 0))?.events).to.deep.equal([]);
    });

    it('keeps about a mebibyte of a session, says what is gone, and forgets a session', async () => {
      const [one, two] = pair();
      const data = 'x'.repeat(64 * 1024);
      for (let n = 1; n <= 20; n += 1) one.append('s', 'a', { sequence: n, data });
      await eventually('the last is kept', async () => (await two.after('s', 'a', 19))?.events.length === 1);
      expect(await two.after('s', 'a', 2)).to.equal(undefined);
      expect((await two.after('s', 'a', 10))?.events).to.have.length(10);
      one.forget('s');
      await eventually('it is forgotten', async () => (await two.after('s', 'a', 19))?.events.length === 0);
    });
  },
  (store) => store.command('HSET', sessionKey(store, 's'), 'id', 's'),
);

describe('EventStore in Redis', () => {
  const stores = new RedisStores();
  after(() => stores.stop());

  it('keeps nothing for a session that has ended', async () => {
    await stores.start();
    const store = stores.instance();
    const events = new RedisEventStore(store, new RecordingLogger());
    await store.open();
    await store.command('HSET', sessionKey(store, 'lives'), 'id', 'lives');
    for (const session of ['ended', 'lives']) {
      events.append(session, 'a', { sequence: 1, data: 'x' });
      events.end(session, 'a');
    }
    await eventually('the other is kept', async () => (await events.after('lives', 'a', 0))?.ended === true);
    expect(await store.command('KEYS', store.key('events*'))).to.have.length(2);
  });
});
