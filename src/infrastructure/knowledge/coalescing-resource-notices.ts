import { injectable } from 'inversify';
import type { ResourceNotice, ResourceNotices } from '../../application/ports/resource/resource-notices.js';

/** A directory that is copied in causes hundreds of changes, which need one notification. */
const QUIET_MS = 50;

/** Within one process; repeated notifications within a short time are sent once. */
@injectable()
export class CoalescingResourceNotices implements ResourceNotices {
  readonly #listeners = new Set<(notice: ResourceNotice) => void>();
  readonly #waiting = new Set<string>();

  publish(notice: ResourceNotice): void {
    const key = notice.kind === 'updated' ? notice.uri : '';
    if (this.#waiting.has(key)) return;
    this.#waiting.add(key);
    setTimeout(() => {
      this.#waiting.delete(key);
      for (const listener of this.#listeners) listener(notice);
    }, QUIET_MS).unref();
  }

  listen(listener: (notice: ResourceNotice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
