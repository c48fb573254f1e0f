import type { ServiceIdentifier } from 'inversify';

/**
 * `answered`: every part has arrived. `not-delivered`: the other instance is gone and never started. `lost`:
 * it had started, and how far it came is not known. `unavailable`: it cannot be reached now, and nothing was
 * started.
 */
export type AskOutcome = 'answered' | 'not-delivered' | 'lost' | 'unavailable';

/** Handles requests of other instances. */
export interface LinkHandler {
  /** Answers with any number of parts; finished when the promise resolves. */
  request(body: string, answer: (part: string) => void): Promise<void>;
  message(body: string): void;
}

/** Messages between the instances of a service. Other programs cannot use it. */
export interface InstanceLink {
  /** The name of this instance: lower-case letters and digits, a new one at each start. */
  readonly self: string;
  /** True while the others consider this instance alive, so that it may do what only one instance may do. */
  readonly holdsLease: boolean;
  isAlive(instance: string): Promise<boolean>;
  /** Each request is started at most once, even if it is sent twice. */
  ask(to: string, body: string, onPart: (part: string) => void): Promise<AskOutcome>;
  /** Sends to one instance, or to all others if none is named. Delivery is not confirmed. */
  tell(to: string | undefined, body: string): void;
  serve(handler: LinkHandler): void;
}

export const InstanceLink: ServiceIdentifier<InstanceLink> = Symbol.for('castellan.InstanceLink');
