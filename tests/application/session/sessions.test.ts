import { expect } from 'chai';
import { describe, it } from 'mocha';
import { CallerSessions } from '../../../src/application/session/caller-sessions.js';
import { Sessions } from '../../../src/application/session/sessions.js';
import { type Caller, LOCAL_EMBEDDED } from '../../../src/domain/session/caller.js';
import { InMemorySessionStore } from '../../../src/infrastructure/session/in-memory-session-store.js';
import { SequentialIds } from '../../../src/testing/testing.js';

const CLIENT = { name: 'test', version: '1' };

function setUp() {
  const store = new InMemorySessionStore();
  const sessions = new Sessions(store, new SequentialIds('s'));
  const ended: string[] = [];
  sessions.onEnd(({ id }) => ended.push(id));
  return { store, sessions, callers: new CallerSessions(sessions), ended };
}

describe('Sessions', () => {
  it('opens sessions with a handshake to come, and ready ones', () => {
    const { store, sessions } = setUp();
    const waiting = sessions.open(LOCAL_EMBEDDED);
    const ready = sessions.openReady(LOCAL_EMBEDDED, CLIENT);
    expect([waiting.state, ready.state]).to.deep.equal(['created', 'ready']);
    expect(store.get(waiting.id)).to.equal(waiting);
    expect(ready.client).to.deep.equal(CLIENT);
  });

  it('tells of the end of each session once, after it is closed and forgotten', () => {
    const { store, sessions, ended } = setUp();
    const session = sessions.open(LOCAL_EMBEDDED);
    const states: unknown[] = [];
    const stop = sessions.onEnd((over) => states.push(over.state, store.get(over.id)));
    sessions.end(session);
    sessions.end(session);
    expect(ended).to.deep.equal([session.id]);
    expect(states).to.deep.equal(['closed', undefined]);
    stop();
    sessions.end(sessions.open(LOCAL_EMBEDDED));
    expect(states).to.have.length(2);
  });
});

describe('CallerSessions', () => {
  const alice: Caller = { id: 'alice', transport: 'embedded', issuer: 'i', claims: { team: 'a' } };

  it('keeps one ready session a caller, whoever has the same name with other credentials', () => {
    const { callers } = setUp();
    const first = callers.of(alice, CLIENT);
    expect(first.state).to.equal('ready');
    expect(callers.of({ ...alice }, CLIENT)).to.equal(first);
    expect(callers.of({ ...alice, claims: { team: 'b' } }, CLIENT)).not.to.equal(first);
    expect(callers.of({ id: 'alice', transport: 'http' }, CLIENT)).not.to.equal(first);
  });

  it('opens another where somebody ended it', () => {
    const { callers, sessions } = setUp();
    const first = callers.of(alice, CLIENT);
    sessions.end(first);
    expect(callers.of(alice, CLIENT).state).to.equal('ready');
  });

  it('ends the least recently used one beyond a thousand callers', () => {
    const { callers, ended } = setUp();
    const first = callers.of(alice, CLIENT);
    for (let n = 0; n < 999; n += 1) callers.of({ id: `c${n}`, transport: 'embedded' }, CLIENT);
    callers.of(alice, CLIENT);
    callers.of({ id: 'one more', transport: 'embedded' }, CLIENT);
    expect(ended).to.have.length(1);
    expect(first.state).to.equal('ready');
  });

  it('gives only ended sessions once it is closed', () => {
    const { callers } = setUp();
    const first = callers.of(alice, CLIENT);
    callers.endAll();
    expect([first.state, callers.of(alice, CLIENT).state]).to.deep.equal(['closed', 'closed']);
  });
});
