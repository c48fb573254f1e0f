import { lutimes, rm } from 'node:fs/promises';
import { draftOf, replaceFile } from './atomic-file.js';
import { FileLock } from './file-lock.js';

/**
 * A file that several processes read, change and replace. Changes are made one after the other, so none is lost;
 * each replaces the file in one step, so none is torn. A process that is killed leaves neither a lock nor a draft.
 */
export class LockedFile {
  readonly #lock: FileLock;

  constructor(readonly path: string) {
    this.#lock = new FileLock(path, (nonce) => rm(draftOf(path, nonce), { force: true }));
  }

  /** undefined: another process held it the whole time. `work` reads what is there and may replace it. */
  async change<T>(
    work: (replace: (text: string) => Promise<void>) => Promise<T>,
  ): Promise<{ readonly value: T } | undefined> {
    const nonce = await this.#lock.acquire();
    if (nonce === undefined) return undefined;
    const check = async (): Promise<void> => {
      if (!(await this.#lock.isHeld(nonce))) throw new Error('the lock was taken over');
    };
    try {
      return { value: await work((text) => replaceFile(this.path, text, nonce, check)) };
    } finally {
      await this.#lock.release(nonce);
    }
  }
}

/** A lock whose holder shows no sign of life is taken over after half a minute. */
const PULSE_MS = 5_000;

/** Holds the lock of a path for as long as `work` takes; undefined: another process has held it for all of `waitMs`. */
export async function whileLocked<T>(
  path: string,
  waitMs: number,
  work: () => Promise<T>,
): Promise<{ readonly value: T } | undefined> {
  const lock = new FileLock(path, async () => undefined, waitMs);
  const nonce = await lock.acquire();
  if (nonce === undefined) return undefined;
  const pulse = setInterval(
    // It is gone where it was taken over.
    () => void lutimes(`${path}.lock`, new Date(), new Date()).catch(() => undefined),
    PULSE_MS,
  );
  try {
    return { value: await work() };
  } finally {
    clearInterval(pulse);
    await lock.release(nonce);
  }
}
