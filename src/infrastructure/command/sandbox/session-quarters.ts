import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxJob } from '../../../application/ports/command/command-sandbox.js';
import type { Identity } from '../process/user-namespace-pool.js';
import type { CommandSession, SessionSeat } from '../session/command-session.js';
import type { SessionProcesses } from '../session/session-processes.js';
import { type CommandNamespaces, enteringArguments, USED_IN_SESSION } from './bubblewrap-arguments.js';
import type { BubblewrapHost } from './bubblewrap-host.js';
import type { CommandQuarters } from './command-quarters.js';

const LOOKS = 100;
const PAUSE_MS = 1;
/** What a command leaves running has this long to end by itself. */
const SETTLE_MS = 400;
const SETTLE_PAUSE_MS = 5;

/** How bwrap is started for a command of a session. */
export function sessionStart(
  { isRoot, bwrap, nsenter }: BubblewrapHost,
  job: SandboxJob,
  identity: Identity,
): Pick<CommandQuarters, 'start' | 'namespaces' | 'used'> {
  const joinsNetwork = job.network === 'none' && nsenter !== undefined;
  return {
    start: joinsNetwork
      ? { file: nsenter, before: enteringArguments(bwrap, identity, isRoot), identity: undefined }
      : { file: bwrap, before: [], identity: isRoot ? identity : undefined },
    namespaces: { nested: true, isRoot, session: { entered: joinsNetwork && !isRoot } },
    used: USED_IN_SESSION,
  };
}

/**
 * A command among others of its session. Its first process may end before what it started, so that all that has its
 * view of the files is ended then; where that does not succeed, the whole session is.
 */
export class SessionQuarters implements CommandQuarters {
  readonly start: CommandQuarters['start'];
  readonly descriptors: readonly number[];
  readonly used = USED_IN_SESSION;
  readonly namespaces: CommandNamespaces | undefined;
  #member: SessionProcesses | undefined;
  #isInterrupted = false;
  #settling: Promise<void> | undefined;
  #left: readonly string[] = [];

  private constructor(
    host: BubblewrapHost,
    job: SandboxJob,
    identity: Identity,
    private readonly session: CommandSession,
    private readonly seat: SessionSeat,
  ) {
    const { start, namespaces } = sessionStart(host, job, identity);
    this.start = start;
    this.namespaces = namespaces;
    const { net, pid } = session.namespaces;
    this.descriptors = [session.setup, seat.command, net, pid];
  }

  /** undefined: the session has ended meanwhile. */
  static async enter(
    host: BubblewrapHost,
    job: SandboxJob,
    identity: Identity,
    session: CommandSession,
  ): Promise<SessionQuarters | undefined> {
    const seat = await session.seat();
    // Its descriptors are closed when it ends: from here to the start of the command nothing is awaited.
    if (!session.isOver) return new SessionQuarters(host, job, identity, session, seat);
    seat.release(false);
    return undefined;
  }

  get setup(): number {
    return this.session.setup;
  }

  get covers() {
    return this.session.covers;
  }

  kill(child: ChildProcess): void {
    const member = this.#memberOf(child);
    if (member === undefined) return;
    if (child.exitCode === null && child.signalCode === null) {
      this.#isInterrupted = true;
      // Only now: what is started by a process that is being killed is found in the next round.
      void this.#end(member);
      child.kill('SIGKILL');
    } else if (this.#isInterrupted) void this.#end(member);
    else this.#settling ??= this.#settle(member);
  }

  /** What a command that ended by itself had left running, by name. */
  get left(): readonly string[] {
    return this.#left;
  }

  /** bwrap's helper for entering the processes of a session may not have ended yet. */
  async first(child: ChildProcess): Promise<number | undefined> {
    const member = this.#memberOf(child);
    for (let look = 0; member !== undefined && look < LOOKS && child.exitCode === null; look += 1) {
      const first = member.first();
      if (first !== undefined) {
        member.remember(first);
        return first;
      }
      await sleep(PAUSE_MS);
    }
    return undefined;
  }

  processes(child: ChildProcess): readonly number[] {
    return this.#memberOf(child)?.list() ?? [];
  }

  neighbours(): readonly number[] {
    return this.session.processes();
  }

  isToBlame(bytes: number, limitBytes: number): boolean {
    return this.#member !== undefined && this.session.isToBlame(this.#member, bytes, limitBytes);
  }

  makeAhead(): void {
    this.session.makeAhead();
  }

  async leave(isEmpty: boolean): Promise<void> {
    const member = this.#member;
    await this.#settling;
    const isEnded = member === undefined || (await this.#end(member));
    if (member !== undefined) this.session.leave(member);
    this.seat.release(isEmpty && isEnded);
  }

  /** A process substitution or the end of a pipe is about to end by itself, and outside nobody would end it. */
  async #settle(member: SessionProcesses): Promise<void> {
    let left = member.alive();
    for (const until = performance.now() + SETTLE_MS; left.length > 0; left = member.alive()) {
      if (performance.now() > until) break;
      await sleep(SETTLE_PAUSE_MS);
    }
    this.#left = [...new Set(left.map(nameOf).filter((name) => name !== ''))];
    if (left.length > 0) await this.#end(member);
  }

  async #end(member: SessionProcesses): Promise<boolean> {
    const isEnded = await member.end();
    if (!isEnded) await this.session.kill();
    return isEnded;
  }

  #memberOf({ pid }: ChildProcess): SessionProcesses | undefined {
    if (pid !== undefined) this.#member ??= this.session.join(pid);
    return this.#member;
  }
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    // It has ended.
    return '';
  }
}
