import type { ServiceIdentifier } from 'inversify';

export type SharedStatus =
  /** This instance shares nothing. */
  | { readonly state: 'alone' }
  | {
      readonly state: 'joined';
      readonly instance: string;
      readonly skewMs: number;
      /** The instances that serve now, as far as this one knows, including itself. */
      readonly instances: readonly InstanceFacts[];
    }
  /** The store cannot be used now. `refused`: a person must change something first. */
  | { readonly state: 'away' | 'refused'; readonly instance: string; readonly why: string };

/** Another instance of the service, or this one. */
export interface InstanceFacts {
  readonly instance: string;
  readonly version: string;
  /** How far its clock is behind that of the store. */
  readonly skewMs: number;
}

/** The state that several instances share. */
export interface SharedState {
  /**
   * Called before anything is served. Rejects if this instance must not take part; does not wait for an
   * unavailable store.
   */
  join(): Promise<void>;
  status(): SharedStatus;
  close(): Promise<void>;
}

export const SharedState: ServiceIdentifier<SharedState> = Symbol.for('castellan.SharedState');
