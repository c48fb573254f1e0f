/** What is longer is not kept. */
export const LARGEST_SPARE = 4 * 1024 * 1024;
const STEP = 256 * 1024;
const KEPT_MS = 2000;

/**
 * One buffer that reads, or writes, share, one at a time. Fresh ones of this size cost the kernel a page fault every four
 * kilobytes and the collector a look at the whole heap every few reads.
 */
export class SpareBuffer {
  #buffer: Buffer | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** At least so long; its content is anything. */
  take(length: number): Buffer {
    const spare = this.#buffer;
    if (spare === undefined || spare.length < length) {
      return Buffer.allocUnsafeSlow(length > LARGEST_SPARE ? length : Math.ceil(length / STEP) * STEP);
    }
    this.#buffer = undefined;
    return spare;
  }

  /** Kept for a moment; whoever gives it must not look at it again. */
  give(buffer: Buffer): void {
    if (buffer.length > LARGEST_SPARE || buffer.length < (this.#buffer?.length ?? 0)) return;
    this.#buffer = buffer;
    this.#timer ??= setTimeout(() => this.#forget(), KEPT_MS).unref();
    this.#timer.refresh();
  }

  #forget(): void {
    this.#buffer = undefined;
    this.#timer = undefined;
  }
}
