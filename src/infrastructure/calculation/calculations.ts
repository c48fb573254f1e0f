import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '../../domain/json-value.js';
import { Result } from '../../domain/result.js';
import { startProcess } from '../process/process-starter.js';
import type { CalculationTask, CalculationValues } from './calculation-task.js';

/** Longer than any honest rule or line takes on a slow machine. */
const TASK_MS = 10_000;
/** Starting the process and loading its libraries takes a tenth of a second, so it is kept for a while. */
const IDLE_MS = 30_000;
/**
 * Limits that hold even when the server is killed and cannot end its process any more: processor seconds and
 * kilobytes of memory. `sh` sets them because Node cannot.
 */
const LIMITS = 'ulimit -t 120; ulimit -d 4194304; exec "$0" "$@"';

type Answer = Result<unknown>;

/**
 * Runs calculations in a process of their own, one after another. Native code and a long match cannot be
 * interrupted; the process can be ended, and is when a call is cancelled or a task takes too long. Nothing is
 * started before the first task.
 */
export class Calculations {
  #child: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #tasks = 0;
  readonly #onExit = () => this.#end();

  constructor(
    private readonly taskMs = TASK_MS,
    private readonly idleMs = IDLE_MS,
  ) {}

  /** A failure of type Interrupted where the task was ended, of type Refused where the library refuses it. */
  run<Kind extends CalculationTask['kind']>(
    task: Extract<CalculationTask, { kind: Kind }>,
    isValue: (value: unknown) => value is CalculationValues[Kind],
    signal?: AbortSignal,
  ): Promise<Result<CalculationValues[Kind]>> {
    const turn = this.#last.then(() => this.#attempt(task, signal));
    this.#last = turn;
    return turn.then((answer): Result<CalculationValues[Kind]> => {
      if (!answer.success) return answer;
      if (isValue(answer.value)) return Result.ok(answer.value);
      return interrupted('the process that runs it answered with something else');
    });
  }

  /** The number of the process, while there is one. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async #attempt(task: CalculationTask, signal: AbortSignal | undefined): Promise<Answer> {
    if (signal?.aborted) return interrupted('the call was cancelled');
    const child = await this.#start();
    if (child === undefined) return interrupted('its process cannot be started');
    if (signal?.aborted) {
      this.#rest();
      return interrupted('the call was cancelled');
    }
    this.#tasks += 1;
    const id = this.#tasks;
    return new Promise((resolve) => {
      const finish = (answer: Answer) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
        child.off('message', hear).off('exit', gone).off('error', gone);
        this.#rest();
        resolve(answer);
      };
      const stop = (why: string) => {
        this.#end();
        finish(interrupted(why));
      };
      const hear = (message: unknown) => {
        if (!isJsonObject(message) || message.id !== id) return;
        finish(
          typeof message.why === 'string' ? Result.failure(message.why, 'Refused') : Result.ok(message.value),
        );
      };
      const gone = () => stop('it needs more time or memory than it may have');
      const cancel = () => stop('the call was cancelled');
      const timer = setTimeout(() => stop(`it took longer than ${this.taskMs / 1000} s`), this.taskMs);
      signal?.addEventListener('abort', cancel, { once: true });
      child.on('message', hear).on('exit', gone).on('error', gone);
      child.send({ id, task }, (error) => error && gone());
    });
  }

  /** Held while it works: a command line that waits for the answer has nothing else to wait for. */
  async #start(): Promise<ChildProcess | undefined> {
    clearTimeout(this.#idle);
    if (this.#child === undefined) {
      this.#child = await startWorker();
      if (this.#child === undefined) return undefined;
      process.once('exit', this.#onExit);
    }
    this.#child.ref();
    this.#child.channel?.ref();
    return this.#child;
  }

  #rest(): void {
    this.#child?.unref();
    this.#child?.channel?.unref();
    this.#idle = setTimeout(() => this.#end(), this.idleMs).unref();
  }

  #end(): void {
    clearTimeout(this.#idle);
    process.off('exit', this.#onExit);
    const child = this.#child;
    this.#child = undefined;
    child?.unref();
    child?.kill('SIGKILL');
  }
}

function interrupted(why: string): Result<never> {
  return Result.failure(why, 'Interrupted');
}

/** Without anything of the environment: it needs nothing of it, and reads what strangers wrote. */
async function startWorker(): Promise<ChildProcess | undefined> {
  const program = programFile();
  const options = ['--max-old-space-size=512', ...(program.endsWith('.ts') ? ['--import', 'tsx'] : [])];
  try {
    const args = ['-c', LIMITS, process.execPath, ...options, program];
    const child = await startProcess('/bin/sh', args, {
      env: {},
      stdio: ['ignore', 'ignore', 'ignore'],
      descriptors: ['ipc'],
    });
    // An error without a listener would end the server; whoever waits for the answer hears it as well.
    child.on('error', () => undefined);
    return child;
  } catch {
    // There is no /bin/sh, or no room for another process.
    return undefined;
  }
}

// The command is built as CommonJS, which has no import.meta; its lazy parts lie a folder below.
const HERE = typeof __dirname === 'string' ? __dirname : import.meta.dirname;

/** From the built command, from a lazy part of it or the library, and from source. */
function programFile(): string {
  const names = ['calculation-worker.js', '../calculation-worker.js', 'calculation-worker.ts'];
  return names.map((name) => join(HERE, name)).find((file) => existsSync(file)) ?? join(HERE, names[0] ?? '');
}

/** One process for all that is calculated here. */
export const calculations = new Calculations();
