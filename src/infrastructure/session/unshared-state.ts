import type { SharedState, SharedStatus } from '../../application/ports/system/shared-state.js';

/** For an instance that is alone. */
export class UnsharedState implements SharedState {
  async join(): Promise<void> {
    // There is nothing to take part in.
  }

  status(): SharedStatus {
    return { state: 'alone' };
  }

  async close(): Promise<void> {
    // Nothing is open.
  }
}
