import type { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import type { CommandSideEffects } from '../../ports/command/command-runner.js';
import type { CommandInput } from '../../ports/command/command-sandbox.js';
import type { Timer } from '../../ports/system/timer.js';
import type { CommandAnswer } from '../command-answer.js';
import { ProcessOutput } from './process-output.js';

/** What is kept of the output of one process. */
const OUTPUT_BYTES = 2 * 1024 * 1024;

export interface ProcessFacts {
  /** Nobody can guess it. */
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
  /** undefined: its input was closed when it started. */
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

  /** Its sandbox stands and it was let go. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  began(): void {
    this.#hasBegun = true;
    this.#tell();
  }

  /** How long it has run, or ran. */
  get runningMs(): number {
    return Math.max(0, Math.round((this.#endedMs ?? this.now()) - this.facts.startedMs));
  }

  watch(traces: () => Promise<CommandSideEffects>): void {
    this.#traces = traces;
  }

  /** What it made that other programs obey, each thing once; after its end the outcome tells. */
  async newTraces(): Promise<CommandSideEffects | undefined> {
    return this.#outcome === undefined ? this.#traces?.() : undefined;
  }

  /** Where the whole output of one that was stopped lies. */
  get savedOutput(): SavedOutput | undefined {
    return this.#saved;
  }

  saved(output: SavedOutput): void {
    this.#saved = output;
  }

  /** Output up to here was in an answer: the next one begins there. */
  get shown(): number {
    return this.#shown;
  }

  show(upTo: number): void {
    this.#shown = Math.max(this.#shown, upTo);
  }

  /** Returns true for the first caller after the end, who reports what there is to say about it. */
  reportEnd(): boolean {
    const isFirst = this.#outcome !== undefined && !this.#isEndReported;
    this.#isEndReported ||= isFirst;
    return isFirst;
  }

  /** Aborted when it is to end. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** undefined: it runs. */
  get outcome(): Result<CommandAnswer, ToolError> | undefined {
    return this.#outcome;
  }

  /** It was ended, and did not end by itself. */
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

  /** Resolves when the condition holds, the time is over or the caller does not wait any more. */
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
