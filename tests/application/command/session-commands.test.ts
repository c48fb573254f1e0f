import { expect } from 'chai';
import { beforeEach, describe, it } from 'mocha';
import { BackgroundProcesses } from '../../../src/application/command/background/background-processes.js';
import { SessionCommands } from '../../../src/application/command/session-commands.js';
import type { CommandRunner } from '../../../src/application/ports/command/command-runner.js';
import { CallerSessions } from '../../../src/application/session/caller-sessions.js';
import { Sessions } from '../../../src/application/session/sessions.js';
import { Result } from '../../../src/domain/result.js';
import { type Caller, LOCAL_EMBEDDED, LOCAL_STDIO } from '../../../src/domain/session/caller.js';
import type { Session } from '../../../src/domain/session/session.js';
import { callCancelled, toolFailure } from '../../../src/domain/tool/tool-error.js';
import { InMemorySessionStore } from '../../../src/infrastructure/session/in-memory-session-store.js';
import { SequentialIds } from '../../../src/testing/testing.js';
import { ManualTime } from '../../support/manual-time.js';

const CLIENT = { name: 'test', version: '1' };
const HOUR = 60 * 60_000;

describe('SessionCommands', () => {
  let time: ManualTime;
  let ended: string[];
  let sessions: Sessions;
  let callers: CallerSessions;
  let processes: BackgroundProcesses;
  let commands: SessionCommands;
  let ofCaller: Session;

  beforeEach(() => {
    time = new ManualTime();
    ended = [];
    sessions = new Sessions(new InMemorySessionStore(), new SequentialIds('s'));
    callers = new CallerSessions(sessions);
    processes = new BackgroundProcesses(new SequentialIds('p'), time);
    const runner: CommandRunner = {
      environment: {},
      status: async () => ({ state: 'available', kind: 'none', description: 'none' }),
      prepare: async () => toolFailure(callCancelled()),
      tmpOf: async () => undefined,
      endSession: async (id) => void ended.push(`end of ${id}`),
      releaseSession: async (id) => void ended.push(`released ${id}`),
      close: async () => undefined,
    };
    commands = new SessionCommands(sessions, processes, runner, callers, time);
    ofCaller = callers.of(LOCAL_EMBEDDED, CLIENT);
  });

  it('ends with its session, and only where a command ran', async () => {
    const [used, unused] = [sessions.open(LOCAL_STDIO), sessions.open(LOCAL_STDIO)];
    commands.enter(used);
    sessions.end(used);
    sessions.end(unused);
    await commands.close();
    expect(ended).to.deep.equal([`end of ${used.id}`]);
  });

  it('ends what a caller without a connection keeps after an hour without a command', async () => {
    commands.enter(ofCaller);
    time.advance(HOUR - 1);
    commands.enter(ofCaller);
    time.advance(HOUR - 1);
    expect(ended).to.deep.equal([]);
    time.advance(1);
    await commands.close();
    expect(ended).to.deep.equal([`end of ${ofCaller.id}`]);
    expect(time.waiting).to.equal(0);
  });

  it('keeps it while a process runs, and what belongs to a connection for as long as that lasts', async () => {
    const process = processes.create('sleep 1', { session: ofCaller });
    processes.keep(process);
    const connected = sessions.open(LOCAL_STDIO);
    commands.enter(connected);
    commands.enter(ofCaller);
    time.advance(HOUR);
    expect(ended).to.deep.equal([]);
    process.finish(
      Result.ok({
        exit_code: 0,
        stdout: '',
        stderr: '',
        duration_ms: 1,
        truncated: false,
        sandbox: 'none',
      }),
    );
    time.advance(HOUR);
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).to.deep.equal([`end of ${ofCaller.id}`]);
  });

  describe('of one caller', () => {
    const MOST = 16;
    const caller = (id: string): Caller => ({ id, transport: 'http' });

    /** Sessions in which a command has run and ended. */
    function idle(who: string, count: number): readonly Session[] {
      return Array.from({ length: count }, () => {
        const session = sessions.open(caller(who));
        const entered = commands.enter(session);
        if (entered.success) entered.value();
        return session;
      });
    }

    it('are given back where they are too many, the one that was used longest ago first', () => {
      const [first, second] = idle('mallory', MOST);
      idle('mallory', 1);
      expect(ended).to.deep.equal([`released ${first?.id}`]);
      idle('mallory', 1);
      expect(ended).to.deep.equal([`released ${first?.id}`, `released ${second?.id}`]);
    });

    it('can be used again, which gives back another', () => {
      const [first, second] = idle('mallory', MOST + 1);
      if (first !== undefined) expect(commands.enter(first).success).to.equal(true);
      expect(ended).to.deep.equal([`released ${first?.id}`, `released ${second?.id}`]);
    });

    it('stay while something runs in them, in the foreground and in the background', () => {
      const [first, second, third] = Array.from({ length: MOST }, () => sessions.open(caller('mallory')));
      if (first === undefined || second === undefined || third === undefined) throw new Error('no sessions');
      expect(commands.enter(first).success).to.equal(true);
      const entered = commands.enter(second);
      processes.keep(processes.create('sleep 1', { session: second }));
      if (entered.success) entered.value();
      const [oldest] = idle('mallory', MOST - 2);
      idle('mallory', 1);
      expect(ended).to.deep.equal([`released ${oldest?.id}`]);
    });

    it('are refused to nobody else where all of them run something', () => {
      const busy = Array.from({ length: MOST }, () => commands.enter(sessions.open(caller('mallory'))));
      expect(busy.every(({ success }) => success)).to.equal(true);
      const refused = commands.enter(sessions.open(caller('mallory')));
      expect(refused.success || refused.error.message).to.match(/16 sessions of this caller/);
      expect(commands.enter(sessions.open(caller('alice'))).success).to.equal(true);
      const [one] = busy;
      if (one?.success) one.value();
      expect(commands.enter(sessions.open(caller('mallory'))).success).to.equal(true);
    });

    it('are given back for others where all callers together keep too many', () => {
      const [first] = idle('a', MOST);
      for (const who of ['b', 'c', 'd']) idle(who, MOST);
      expect(ended).to.deep.equal([]);
      idle('e', 1);
      expect(ended).to.deep.equal([`released ${first?.id}`]);
    });
  });
});
