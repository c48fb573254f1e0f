import type { SharedState, SharedStatus } from '../../application/ports/system/shared-state.js';
import type { RedisStore } from './redis-store.js';

export class RedisSharedState implements SharedState {
  constructor(private readonly store: RedisStore) {}

  join(): Promise<void> {
    return this.store.open();
  }

  status(): SharedStatus {
    const { instance, lease, refusal, fault } = this.store;
    const why = fault === undefined ? '' : ` (${fault})`;
    switch (this.store.state) {
      case 'joined':
        // It answers and takes nothing: it is full, or a replica by now.
        if (!lease.isHeld)
          return {
            state: 'away',
            instance,
            why: `Redis refuses what is asked of it (${lease.fault ?? 'late'}).`,
          };
        return { state: 'joined', instance, skewMs: lease.skewMs, instances: lease.instances };
      case 'refused':
        return { state: 'refused', instance, why: refusal ?? 'Redis must not be used.' };
      case 'connecting':
      case 'lost':
        return { state: 'away', instance, why: `Redis does not answer${why}.` };
    }
  }

  close(): Promise<void> {
    return this.store.close();
  }
}
