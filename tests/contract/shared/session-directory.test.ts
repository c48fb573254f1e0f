import { expect } from 'chai';
import { it } from 'mocha';
import type {
  SessionDirectory,
  SharedSession,
} from '../../../src/application/ports/session/session-directory.js';
import { RedisSessionDirectory } from '../../../src/infrastructure/redis/redis-session-directory.js';
import { InMemorySessionDirectory } from '../../../src/infrastructure/session/in-memory-session-directory.js';
import { mustValue } from '../../support/sample-tool.js';
import { bothWays, SYSTEM_CLOCK } from './both-ways.js';

function session(id: string): SharedSession {
  return {
    id,
    sessionId: `server-${id}`,
    callerKey: 'me\n"quoted"',
    owner: 'one',
    handshake: '{"a":1}',
    choices: '',
    processes: '[]',
  };
}

bothWays<SessionDirectory>(
  'SessionDirectory',
  () => new InMemorySessionDirectory(SYSTEM_CLOCK),
  (store) => new RedisSessionDirectory(store, 60_000),
  (pair) => {
    it('shows a session to every instance, with what changed since', async () => {
      const [one, two] = pair();
      mustValue(await one.add(session('a')));
      expect(mustValue(await two.get('a'))).to.deep.equal(session('a'));
      mustValue(await two.change('a', { choices: 'x', processes: '["p"]' }));
      expect(mustValue(await one.get('a'))).to.deep.equal({
        ...session('a'),
        choices: 'x',
        processes: '["p"]',
      });
      expect(mustValue(await one.get('b'))).to.equal(undefined);
      mustValue(await one.change('b', { choices: 'x' }));
      expect(mustValue(await two.get('b'))).to.equal(undefined);
    });

    it('has one owner: of many that claim it from the same one, one gets it', async () => {
      const [one, two] = pair();
      mustValue(await one.add(session('a')));
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? one : two).claim('a', 'one', `new${n}`)),
      );
      const owners = new Set(claims.map(mustValue));
      expect(owners.size).to.equal(1);
      expect(mustValue(await two.get('a'))?.owner).to.equal([...owners][0]);
      expect(mustValue(await two.claim('gone', 'one', 'two'))).to.equal(undefined);
    });

    it('ends once for all, or when nobody has used it for a while', async () => {
      const [one, two] = pair();
      for (const id of ['a', 'b', 'c']) mustValue(await one.add(session(id)));
      mustValue(await two.end('a'));
      expect(mustValue(await one.keep(['a', 'b', 'c']))).to.deep.equal(['a']);
      expect(mustValue(await one.endIdle('b', 60_000))).to.equal(false);
      expect(mustValue(await one.endIdle('b', 0))).to.equal(true);
      expect(mustValue(await two.get('b'))).to.equal(undefined);
      expect(mustValue(await two.endIdle('b', 60_000))).to.equal(true);
      expect(mustValue(await two.keep([]))).to.deep.equal([]);
    });
  },
);
