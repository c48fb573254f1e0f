import type { ToolContext } from '../call/tool-context.js';
import type { OutputLine } from '../ports/command/command-sandbox.js';
import type { Timer } from '../ports/system/timer.js';

const EVERY_MS = 100;
const MAX_LINES = 20;
const MAX_LINE = 500;

/**
 * Sends the lines of a running command to the client in batches: a verbose one must not flood the connection.
 */
export class ProgressLines {
  #lines: string[] = [];
  #count = 0;
  #left = 0;
  #cancel: (() => void) | undefined;

  constructor(
    private readonly context: Pick<ToolContext, 'progress'>,
    private readonly timer: Timer,
  ) {}

  take({ text }: OutputLine): void {
    this.#count += 1;
    if (this.#lines.length < MAX_LINES) this.#lines.push(text.slice(0, MAX_LINE));
    else this.#left += 1;
    this.#cancel ??= this.timer.after(EVERY_MS, () => this.#send());
  }

  /** What was not sent is in the result. */
  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #send(): void {
    this.#cancel = undefined;
    const more = this.#left === 0 ? [] : [`… ${this.#left} more lines`];
    const message = [...this.#lines, ...more].join('\n');
    this.#lines = [];
    this.#left = 0;
    this.context.progress(this.#count, undefined, message);
  }
}
