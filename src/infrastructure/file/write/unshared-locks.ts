import type { SharedLock, SharedLocks } from '../../../application/ports/file/shared-locks.js';

const FREE: SharedLock = { release: () => undefined };

/** For a single instance: no other can have a lock. */
export class UnsharedLocks implements SharedLocks {
  async take(): Promise<SharedLock> {
    return FREE;
  }
}
