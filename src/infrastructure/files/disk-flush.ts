import { closeSync, constants, fsync, fsyncSync, openSync } from 'node:fs';
import { errnoOf } from './file-fault.js';
import type { Held } from './path-locator.js';

const SMALL = 64 * 1024;
/** For so long the event loop may stand still: nobody notices. A flush that takes longer shows a busy disk. */
const PATIENCE_MS = 20;
const READABLE = constants.O_RDONLY | constants.O_DIRECTORY;

/**
 * fsync. On an idle disk a small file is flushed sooner than a thread of the pool is woken, so it happens at
 * once; while flushes take long, they leave the event loop alone.
 */
export class DiskFlush {
  #busy = false;

  /** Nothing to wait for where it was done at once. */
  file(descriptor: number, bytes: number): Promise<void> | undefined {
    if (bytes > SMALL) return flushInPool(descriptor);
    const started = performance.now();
    if (this.#busy) return flushInPool(descriptor).then(() => this.#judge(started));
    fsyncSync(descriptor);
    this.#judge(started);
    return undefined;
  }

  /** Some network file systems cannot flush folders, and nobody can flush one that may not be listed. */
  async folder(folder: Held): Promise<void> {
    let opened: number | undefined;
    try {
      const descriptor = folder.readable ?? openSync(folder.handle, READABLE);
      if (folder.readable === undefined) opened = descriptor;
      const flushing = this.file(descriptor, 0);
      if (flushing !== undefined) await flushing;
    } catch (error) {
      // The rename itself was atomic; only its moment is the file system's own choice then.
      if (errnoOf(error) !== 'EINVAL' && errnoOf(error) !== 'EACCES') throw error;
    } finally {
      if (opened !== undefined) closeSync(opened);
    }
  }

  #judge(started: number): void {
    this.#busy = performance.now() - started > PATIENCE_MS;
  }
}

function flushInPool(descriptor: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fsync(descriptor, (error) => (error ? reject(error) : resolve()));
  });
}
