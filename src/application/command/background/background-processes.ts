import { inject, injectable } from 'inversify';
import type { BackgroundRule } from '../../../domain/permission/policy/background-rule.js';
import { Result } from '../../../domain/result.js';
import type { Session } from '../../../domain/session/session.js';
import {
  executionFailed,
  limitExceeded,
  type ToolError,
  toolFailure,
} from '../../../domain/tool/tool-error.js';
import type { ToolContext } from '../../call/tool-context.js';
import { Clock } from '../../ports/system/clock.js';
import { IdSource } from '../../ports/system/id-source.js';
import { BackgroundProcess } from './background-process.js';

/** Finished processes that can still be read, per session. */
const KEPT_AFTER_THE_END = 16;

/** Finished commands whose output can be read again, per session. */
const KEPT_AFTER_THE_ANSWER = 4;

const LOST =
  'The server that ran this process has stopped, and the process with it. Its output is lost; start it again if you need it.';

export interface RunningProcess {
  readonly id: string;
  readonly command: string;
}

/** The processes that outlive their call. */
@injectable()
export class BackgroundProcesses {
  readonly #kept = new Map<string, BackgroundProcess>();
  /** Commands that ended before their result; they are not listed. */
  readonly #answered = new Map<string, BackgroundProcess>();

  constructor(
    @inject(IdSource) private readonly ids: IdSource,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  /** Creates a process that cannot be reached until it is kept. */
  create(command: string, { session }: Pick<ToolContext, 'session'>): BackgroundProcess {
    const now = (): number => this.clock.elapsed();
    const { id: sessionId, caller } = session;
    const id = `p_${this.ids.next()}`;
    return new BackgroundProcess({ id, sessionId, callerId: caller.id, command, startedMs: now() }, now);
  }

  /** Checks whether one more process may run. */
  check({ session }: Pick<ToolContext, 'session'>, { max }: BackgroundRule): Result<undefined, ToolError> {
    const running = [...this.#kept.values()].filter(
      ({ facts, outcome }) => facts.callerId === session.caller.id && outcome === undefined,
    );
    if (running.length < max) return Result.ok(undefined);
    const names = running.map(({ facts }) => `${facts.id} (${facts.command.slice(0, 60)})`).join(', ');
    return toolFailure(
      limitExceeded(
        `${running.length} processes are running in the background, the maximum of the policy: ${names}. Stop one with stop_process.`,
      ),
    );
  }

  /** Makes the process reachable for its session. */
  keep(process: BackgroundProcess): void {
    this.#kept.set(process.facts.id, process);
    this.#forgetOldest(process.facts.sessionId);
  }

  /** Keeps a command whose result was cut, so that its output can be read again for a while. */
  keepAnswered(process: BackgroundProcess): void {
    process.reportEnd();
    this.#answered.set(process.facts.id, process);
    const own = [...this.#answered.values()].filter(
      ({ facts }) => facts.sessionId === process.facts.sessionId,
    );
    for (const { facts } of own.slice(0, -KEPT_AFTER_THE_ANSWER)) this.#answered.delete(facts.id);
  }

  get anyRuns(): boolean {
    return [...this.#kept.values()].some(({ outcome }) => outcome === undefined);
  }

  /** The running processes of a session. */
  running(sessionId: string): readonly RunningProcess[] {
    return this.#of(sessionId)
      .filter(({ outcome }) => outcome === undefined)
      .map(({ facts }) => ({ id: facts.id, command: facts.command }));
  }

  /** Marks a process of a dead instance as lost: its session can still ask what happened to it. */
  mourn({ id: sessionId, caller }: Session, { id, command }: RunningProcess): void {
    const now = (): number => this.clock.elapsed();
    const facts = { id, sessionId, callerId: caller.id, command, startedMs: now() };
    const process = new BackgroundProcess(facts, now);
    process.finish(toolFailure(executionFailed(LOST)));
    this.keep(process);
  }

  /** Returns undefined if this session has no process with this id. */
  find(id: string, { session }: Pick<ToolContext, 'session'>): BackgroundProcess | undefined {
    const process = this.#kept.get(id) ?? this.#answered.get(id);
    return process?.facts.sessionId === session.id ? process : undefined;
  }

  list({ session }: Pick<ToolContext, 'session'>): readonly BackgroundProcess[] {
    return this.#of(session.id);
  }

  /** Stops and removes all processes of a session. */
  endSession(sessionId: string): void {
    for (const process of this.#of(sessionId)) {
      process.stop();
      this.#kept.delete(process.facts.id);
    }
    for (const { facts } of this.#answered.values())
      if (facts.sessionId === sessionId) this.#answered.delete(facts.id);
  }

  #of(sessionId: string): readonly BackgroundProcess[] {
    return [...this.#kept.values()].filter(({ facts }) => facts.sessionId === sessionId);
  }

  #forgetOldest(sessionId: string): void {
    const ended = this.#of(sessionId).filter(({ outcome }) => outcome !== undefined);
    for (const { facts } of ended.slice(0, Math.max(0, ended.length - KEPT_AFTER_THE_END)))
      this.#kept.delete(facts.id);
  }
}
