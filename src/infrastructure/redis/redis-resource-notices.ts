import type { ResourceNotice, ResourceNotices } from '../../application/ports/resource/resource-notices.js';
import type { Logger } from '../../application/ports/system/logger.js';
import { isJsonObject } from '../../domain/json-value.js';
import { reasonOf } from './redis-fault.js';
import type { RedisStore } from './redis-store.js';

const CHANNEL = 'notices';

/** Tells the clients of every instance what one of them has noticed. */
export class RedisResourceNotices implements ResourceNotices {
  constructor(
    private readonly store: RedisStore,
    /** Says the same thing once, whoever noticed it. */
    private readonly local: ResourceNotices,
    private readonly logger: Logger,
  ) {
    store.listen(CHANNEL, (text) => this.#heard(text));
  }

  publish(notice: ResourceNotice): void {
    this.local.publish(notice);
    this.store
      .publish(CHANNEL, JSON.stringify({ from: this.store.instance, notice }))
      .catch((error: unknown) => this.logger.debug(`A notice stays here: ${reasonOf(error)}`));
  }

  listen(listener: (notice: ResourceNotice) => void): () => void {
    return this.local.listen(listener);
  }

  #heard(text: string): void {
    const { from, notice }: Readonly<Record<string, unknown>> = JSON.parse(text);
    if (from === this.store.instance || !isJsonObject(notice)) return;
    if (notice.kind === 'list-changed') this.local.publish({ kind: 'list-changed' });
    else if (notice.kind === 'updated' && typeof notice.uri === 'string')
      this.local.publish({ kind: 'updated', uri: notice.uri });
  }
}
