import { closeSync, constants, fsync, fsyncSync, openSync } from 'node:fs';
import { errnoOf } from './file-fault.js';
import type { Held } from './path-locator.js';

const SMALL = 64 * 1024;
/** A flush that blocked for longer than this is a sign of a busy disk. */
const PATIENCE_MS = 4;
const CAUTIOUS_FLUSHES = 200;

/**
 * fsync. On an idle disk a small file is flushed sooner than a thread of the pool is woken, so it happens at
 * once; after one flush that took long, the next ones leave the event loop alone.
 */
export class DiskFlush {
  #cautious = 0;

  async file(descriptor: number, bytes: number): Promise<void> {
    if (bytes > SMALL || this.#cautious > 0) {
      this.#cautious -= 1;
      await flushInPool(descriptor);
      return;
    }
    const started = performance.now();
    fsyncSync(descriptor);
    if (performance.now() - started > PATIENCE_MS) this.#cautious = CAUTIOUS_FLUSHES;
  }

  async folder(folder: Held): Promise<void> {
    const descriptor = openSync(folder.handle, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      await this.file(descriptor, 0);
    } catch (error) {
      // Some network file systems cannot flush folders; the rename itself was atomic.
      if (errnoOf(error) !== 'EINVAL') throw error;
    } finally {
      closeSync(descriptor);
    }
  }
}

function flushInPool(descriptor: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fsync(descriptor, (error) => (error ? reject(error) : resolve()));
  });
}
