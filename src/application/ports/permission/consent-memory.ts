import type { ServiceIdentifier } from 'inversify';
import type { ConsentSubject } from '../../../domain/permission/consent/consent-grant.js';

/** What people said may hold for identical calls for a while. Old entries may be forgotten: somebody is asked again. */
export interface ConsentMemory {
  /** Until when it holds, in milliseconds since 1970; undefined: somebody has to be asked. */
  recall(subject: ConsentSubject): number | undefined | Promise<number | undefined>;
  remember(subject: ConsentSubject, until: number): Promise<void>;
}

export const ConsentMemory: ServiceIdentifier<ConsentMemory> = Symbol.for('castellan.ConsentMemory');
