import type { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import type { CommandSideEffects } from '../../ports/command/command-runner.js';
import type { CommandInput } from '../../ports/command/command-sandbox.js';
import type { Timer } from '../../ports/system/timer.js';
import type { CommandAnswer } from '../command-answer.js';
import { ProcessOutput } from './process-output.js';

/** The part of a process' output that is kept. */
const OUTPUT_BYTES = 2 * 1024 * 1024;

export interface ProcessFacts {
  /** Unguessable. */
  readonly id: string;
  readonly sessionId: string;
  readonly callerId: string;
  readonly command: string;
  readonly startedMs: number;
}

interface SavedOutput {
  readonly path: string;
  readonly bytes: number;
}

/** A command that may outlive its call. */
export class BackgroundProcess {
  readonly output = new ProcessOutput(OUTPUT_BYTES);
  /** undefined if its input was closed at the start. */
  input: CommandInput | undefined;
  readonly #ending = new AbortController();
  readonly #listeners = new Set<() => void>();
  #outcome: Result<CommandAnswer, ToolError> | undefined;
  #isStopped = false;
  #hasBegun = false;
  #traces: (() => Promise<CommandSideEffects>) | undefined;
  #saved: SavedOutput | undefined;
  #shown = 0;
  #isEndReported = false;
  #endedMs: number | undefined;

  constructor(
    readonly facts: ProcessFacts,
    private readonly now: () => number,
  ) {}

  /** True once its sandbox is ready and it was started. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  began(): void {
    this.#hasBegun = true;
    this.#tell();
  }

  /** How long it has been running, or ran. */
  get runningMs(): number {
    return Math.max(0, Math.round((this.#endedMs ?? this.now()) - this.facts.startedMs));
  }

  watch(traces: () => Promise<CommandSideEffects>): void {
    this.#traces = traces;
  }

  /**
   * Newly created files that other programs follow, each reported once; after its end the outcome reports
   * them.
   */
  async newTraces(): Promise<CommandSideEffects | undefined> {
    return this.#outcome === undefined ? this.#traces?.() : undefined;
  }

  /** Where the complete output of a stopped process is. */
  get savedOutput(): SavedOutput | undefined {
    return this.#saved;
  }

  saved(output: SavedOutput): void {
    this.#saved = output;
  }

  /** Output up to here was already returned; the next result starts there. */
  get shown(): number {
    return this.#shown;
  }

  show(upTo: number): void {
    this.#shown = Math.max(this.#shown, upTo);
  }

  /** Returns true for the first caller after the end, which reports the outcome. */
  reportEnd(): boolean {
    const isFirst = this.#outcome !== undefined && !this.#isEndReported;
    this.#isEndReported ||= isFirst;
    return isFirst;
  }

  /** Aborted when the process must end. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** undefined while it runs. */
  get outcome(): Result<CommandAnswer, ToolError> | undefined {
    return this.#outcome;
  }

  /** True if it was stopped instead of exiting by itself. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  stop(): void {
    if (this.#outcome === undefined) this.#isStopped = true;
    this.#ending.abort();
  }

  took(chunk: Uint8Array): void {
    this.output.append(chunk);
    this.#tell();
  }

  finish(outcome: Result<CommandAnswer, ToolError>): void {
    this.#outcome = outcome;
    this.#endedMs = this.now();
    this.input = undefined;
    this.#tell();
  }

  /** Resolves when the condition holds, the time is over or the caller stops waiting. */
  async until(condition: () => boolean, ms: number, timer: Timer, signal: AbortSignal): Promise<void> {
    if (condition() || ms <= 0 || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        cancel();
        this.#listeners.delete(look);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const look = (): void => {
        if (condition()) done();
      };
      const cancel = timer.after(ms, done);
      this.#listeners.add(look);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
