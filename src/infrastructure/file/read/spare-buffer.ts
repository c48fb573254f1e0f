/** Longer buffers are not kept. */
export const LARGEST_SPARE = 4 * 1024 * 1024;
const STEP = 256 * 1024;
const KEPT_MS = 2000;

/**
 * One buffer shared by reads or writes, one at a time. A new one of this size costs the kernel a page fault
 * every four kilobytes and the garbage collector a scan of the heap every few reads.
 */
export class SpareBuffer {
  #buffer: Buffer | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** At least this long; its content is arbitrary. */
  take(length: number): Buffer {
    const spare = this.#buffer;
    if (spare === undefined || spare.length < length) {
      return Buffer.allocUnsafeSlow(length > LARGEST_SPARE ? length : Math.ceil(length / STEP) * STEP);
    }
    this.#buffer = undefined;
    return spare;
  }

  /** Keeps the buffer for a moment; the caller must not use it again. */
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
