import { inject, injectable } from 'inversify';
import { Result } from '../../domain/result.js';
import { callerKey } from '../../domain/session/caller.js';
import type { Session } from '../../domain/session/session.js';
import { limitExceeded, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import { CommandRunner } from '../ports/command/command-runner.js';
import { Timer } from '../ports/system/timer.js';
import { CallerSessions } from '../session/caller-sessions.js';
import { Sessions } from '../session/sessions.js';
import { BackgroundProcesses } from './background/background-processes.js';

/**
 * The same as for workflows: a caller without a connection that ran no command for this long is considered
 * gone.
 */
const IDLE_MS = 60 * 60_000;

/** Sessions that hold three processes and five descriptors each: per caller, and in all. */
const MOST_OF_A_CALLER = 16;
const MOST_OF_ALL = 64;

interface HeldSession {
  readonly session: Session;
  /** Running calls. */
  calls: number;
}

/** What commands keep from one call to the next, for the lifetime of their session. */
@injectable()
export class SessionCommands {
  /** How to stop waiting for the end of sessions without a connection. */
  readonly #entered = new Map<string, () => void>();
  readonly #ending = new Set<Promise<void>>();
  /** Sessions with namespaces, processes and descriptors, least recently used first. */
  readonly #sessions = new Map<string, HeldSession>();

  constructor(
    @inject(Sessions) sessions: Sessions,
    @inject(BackgroundProcesses) private readonly processes: BackgroundProcesses,
    @inject(CommandRunner) private readonly runner: CommandRunner,
    @inject(CallerSessions) private readonly callers: CallerSessions,
    @inject(Timer) private readonly timer: Timer,
  ) {
    sessions.onEnd(({ id }) => this.#end(id));
  }

  /**
   * Called before a command of this session runs; the returned function is called when its call is over. A
   * caller with too many sessions loses an idle one; if all are busy, the command is refused.
   */
  enter(session: Session): Result<() => void, ToolError> {
    const held = this.#sessions.get(session.id) ?? { session, calls: 0 };
    const room = this.#makeRoom(session);
    if (!room.success) return room;
    this.#entered.get(session.id)?.();
    this.#entered.set(session.id, this.callers.has(session) ? this.#whenIdle(session) : () => undefined);
    held.calls += 1;
    // The last one used is the last to be released.
    this.#sessions.delete(session.id);
    this.#sessions.set(session.id, held);
    return Result.ok(() => {
      held.calls -= 1;
    });
  }

  /** Resolves when no session holds anything. */
  async close(): Promise<void> {
    for (const id of [...this.#entered.keys()]) this.#end(id);
    await Promise.allSettled(this.#ending);
  }

  /** Running processes are limited by their own time, and keep what they need. */
  #whenIdle(session: Session): () => void {
    return this.timer.someTimeAfter(IDLE_MS, () => {
      const runs = this.#runs(session);
      if (runs) this.#entered.set(session.id, this.#whenIdle(session));
      else this.#end(session.id);
    });
  }

  #runs(session: Session): boolean {
    return this.processes.list({ session }).some(({ outcome }) => outcome === undefined);
  }

  #makeRoom(entering: Session): Result<undefined, ToolError> {
    const others = [...this.#sessions.values()].filter(({ session }) => session.id !== entering.id);
    const key = callerKey(entering.caller);
    const own = others.filter(({ session }) => callerKey(session.caller) === key);
    const idle = (held: readonly HeldSession[]): HeldSession | undefined =>
      held.find(({ session, calls }) => calls === 0 && !this.#runs(session));
    const ownIdle = own.length < MOST_OF_A_CALLER ? undefined : idle(own);
    if (own.length >= MOST_OF_A_CALLER && ownIdle === undefined) return tooMany(own.length);
    // No caller is refused because of sessions that others keep.
    const released = ownIdle ?? (others.length < MOST_OF_ALL ? undefined : idle(others));
    if (released !== undefined) this.#release(released.session.id);
    return Result.ok(undefined);
  }

  #release(id: string): void {
    this.#sessions.delete(id);
    const ending = this.runner.releaseSession(id).finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  #end(id: string): void {
    this.#sessions.delete(id);
    this.#entered.get(id)?.();
    if (!this.#entered.delete(id)) return;
    const ending = this.#endAll(id).finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  async #endAll(id: string): Promise<void> {
    this.processes.endSession(id);
    await this.runner.endSession(id);
  }
}

function tooMany(count: number): Result<never, ToolError> {
  return toolFailure(
    limitExceeded(
      `Commands run in ${count} sessions of this caller, the most that one may have. Wait until one has ended, stop a process with stop_process, or use an existing session.`,
    ),
  );
}
