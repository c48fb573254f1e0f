import { closeSync, constants, fsync, fsyncSync, openSync } from 'node:fs';
import { errnoOf } from '../../state/errno.js';
import type { Held } from '../locate/path-locator.js';

const SMALL = 64 * 1024;
/** A blocking time of the event loop that nobody notices. A flush that takes longer indicates a busy disk. */
const PATIENCE_MS = 20;
const READABLE = constants.O_RDONLY | constants.O_DIRECTORY;

/**
 * fsync. On an idle disk a small file is flushed faster than a thread of the pool is woken, so it is done
 * synchronously; while flushes take long, they run in the pool.
 */
export class DiskFlush {
  #busy = false;

  /** Returns undefined if it finished synchronously. */
  file(descriptor: number, bytes: number): Promise<void> | undefined {
    if (bytes > SMALL) return flushInPool(descriptor);
    const started = performance.now();
    if (this.#busy) return flushInPool(descriptor).then(() => this.#judge(started));
    fsyncSync(descriptor);
    this.#judge(started);
    return undefined;
  }

  /**
   * Some network file systems cannot flush directories, and a directory that may not be listed cannot be
   * flushed.
   */
  folder(folder: Held): Promise<void> | undefined {
    const { readable } = folder;
    return readable === undefined ? this.#opened(folder.handle) : this.#tolerant(readable);
  }

  async #opened(handle: string): Promise<void> {
    const descriptor = openUnlessClosed(handle);
    if (descriptor === undefined) return;
    try {
      await this.#tolerant(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  #tolerant(descriptor: number): Promise<void> | undefined {
    try {
      return this.file(descriptor, 0)?.catch(tolerate);
    } catch (error) {
      tolerate(error);
      return undefined;
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

function openUnlessClosed(handle: string): number | undefined {
  try {
    return openSync(handle, READABLE);
  } catch (error) {
    tolerate(error);
    return undefined;
  }
}

/** The rename itself was atomic; when it reaches the disk is then up to the file system. */
function tolerate(error: unknown): void {
  if (errnoOf(error) !== 'EINVAL' && errnoOf(error) !== 'EACCES') throw error;
}
