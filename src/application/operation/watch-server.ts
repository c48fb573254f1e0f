import { inject, injectable } from 'inversify';
import type { JsonValue } from '../../domain/json-value.js';
import { previewArguments } from '../../domain/tool/argument-preview.js';
import { RunningCalls } from '../call/pipeline/running-calls.js';
import { BackgroundProcesses } from '../command/background/background-processes.js';
import { type ProcessState, stateOf } from '../command/background/process-report.js';
import { Redactor } from '../ports/audit/redactor.js';
import { SessionStore } from '../ports/session/session-store.js';
import { Clock } from '../ports/system/clock.js';

export interface SeenSession {
  readonly id: string;
  readonly caller: string;
  readonly transport: string;
  readonly client: string;
}

export interface SeenCall {
  readonly id: string;
  readonly session: string;
  readonly tool: string;
  /** Cut and redacted. */
  readonly arguments: JsonValue;
  readonly startedAt: number;
}

export interface SeenProcess {
  readonly id: string;
  readonly session: string;
  readonly command: string;
  readonly state: ProcessState;
  readonly startedAt: number;
  /** The end of what it has printed, redacted. */
  readonly output: string;
}

/** What a person who watches a server sees of it. */
export interface ServerView {
  readonly sessions: readonly SeenSession[];
  readonly calls: readonly SeenCall[];
  readonly processes: readonly SeenProcess[];
}

/** What can be stopped. */
export const STOPPABLE = ['call', 'process'] as const;

export type Stoppable = (typeof STOPPABLE)[number];

/** Of very many the first. */
const SHOWN = 50;
/** An id of a session is no one else's business, even where it is of no use to them. */
const SHOWN_OF_ID = 8;
const COMMAND_CHARACTERS = 400;
const OUTPUT_BYTES = 4_096;
const OUTPUT_LINES = 40;

/** Sessions, calls and processes of this server, and how a person ends them. */
@injectable()
export class WatchServer {
  constructor(
    @inject(SessionStore) private readonly sessions: SessionStore,
    @inject(RunningCalls) private readonly calls: RunningCalls,
    @inject(BackgroundProcesses) private readonly processes: BackgroundProcesses,
    @inject(Redactor) private readonly redactor: Redactor,
    @inject(Clock) private readonly clock: Clock,
  ) {}

  view(): ServerView {
    return { sessions: this.#sessions(), calls: this.#calls(), processes: this.#processes() };
  }

  /** Ends it with everything that it started. false: it is over, or never was. */
  stop(kind: Stoppable, id: string): boolean {
    if (kind === 'call') return this.calls.stop(id);
    const process = this.processes
      .all()
      .find(({ facts, outcome }) => facts.id === id && outcome === undefined);
    process?.stop();
    return process !== undefined;
  }

  #sessions(): readonly SeenSession[] {
    return this.sessions
      .list()
      .slice(0, SHOWN)
      .map(({ id, caller, client }) => ({
        id: id.slice(0, SHOWN_OF_ID),
        caller: caller.id,
        transport: caller.transport,
        client: client === undefined ? '' : `${client.name} ${client.version}`,
      }));
  }

  #calls(): readonly SeenCall[] {
    return this.calls
      .list()
      .slice(0, SHOWN)
      .map(({ id, session, toolName, arguments: args, startedAt }) => ({
        id,
        session: session?.id.slice(0, SHOWN_OF_ID) ?? '',
        tool: toolName.slice(0, 100),
        arguments: previewArguments(args, (text) => this.redactor.text(text)),
        startedAt,
      }));
  }

  #processes(): readonly SeenProcess[] {
    const [now, elapsed] = [this.clock.now(), this.clock.elapsed()];
    return this.processes
      .all()
      .slice(-SHOWN)
      .map((process) => {
        const { facts, output } = process;
        const from = Math.max(output.lastLines(OUTPUT_LINES), output.end - OUTPUT_BYTES);
        const { text } = output.page(from, OUTPUT_BYTES, process.outcome !== undefined);
        return {
          id: facts.id,
          session: facts.sessionId.slice(0, SHOWN_OF_ID),
          command: this.redactor.text(facts.command).slice(0, COMMAND_CHARACTERS),
          state: stateOf(process),
          // Two clocks never agree to the millisecond.
          startedAt: Math.round((now - elapsed + facts.startedMs) / 1000) * 1000,
          output: this.redactor.text(text),
        };
      });
  }
}
