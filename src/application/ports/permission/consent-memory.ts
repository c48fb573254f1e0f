import type { ServiceIdentifier } from 'inversify';
import type { ConsentSubject } from '../../../domain/permission/consent/consent-grant.js';

/**
 * Answers that stay valid for identical calls for a while. Old entries may be dropped: a person is then asked
 * again.
 */
export interface ConsentMemory {
  /** Until when it is valid, in milliseconds since 1970; undefined if a person must be asked. */
  recall(subject: ConsentSubject): number | undefined | Promise<number | undefined>;
  remember(subject: ConsentSubject, until: number): Promise<void>;
}

export const ConsentMemory: ServiceIdentifier<ConsentMemory> = Symbol.for('castellan.ConsentMemory');
