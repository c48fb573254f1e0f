import type { ServiceIdentifier } from 'inversify';

/**
 * `answered`: every part has come. `not-delivered`: the other instance is gone and never began. `lost`: it had begun,
 * and how far it came is not known. `unavailable`: there is no way to it now, and nothing was begun.
 */
export type AskOutcome = 'answered' | 'not-delivered' | 'lost' | 'unavailable';

/** What others want of this instance. */
export interface LinkHandler {
  /** Answers with any number of parts; over when the promise resolves. */
  request(body: string, answer: (part: string) => void): Promise<void>;
  message(body: string): void;
}

/** The way from one instance of a service to another. Nobody outside of the service can use it. */
export interface InstanceLink {
  /** The name of this instance: lower-case letters and digits, another one at each start. */
  readonly self: string;
  /** Whether the others take this instance for alive: what only one instance may do is its to do. */
  readonly holdsLease: boolean;
  isAlive(instance: string): Promise<boolean>;
  /** Each request is begun at most once, whatever is sent twice on the way. */
  ask(to: string, body: string, onPart: (part: string) => void): Promise<AskOutcome>;
  /** To one instance, or to all others where none is named. Nobody learns whether it arrived. */
  tell(to: string | undefined, body: string): void;
  serve(handler: LinkHandler): void;
}

export const InstanceLink: ServiceIdentifier<InstanceLink> = Symbol.for('castellan.InstanceLink');
