import type { ServiceIdentifier } from 'inversify';

export type SharedStatus =
  /** This instance keeps everything itself. */
  | { readonly state: 'alone' }
  | {
      readonly state: 'joined';
      readonly instance: string;
      readonly skewMs: number;
      /** Those that serve now, as far as this one has heard; it is among them. */
      readonly instances: readonly InstanceFacts[];
    }
  /** Nothing can be asked now. `refused`: and a person has to change something first. */
  | { readonly state: 'away' | 'refused'; readonly instance: string; readonly why: string };

/** Another instance of the service, or this one. */
export interface InstanceFacts {
  readonly instance: string;
  readonly version: string;
  /** How far its clock is behind that of the store. */
  readonly skewMs: number;
}

/** What several instances have in common, as a whole. */
export interface SharedState {
  /** Before anything is served. Rejects where this instance must not take part; waits for nobody who is away. */
  join(): Promise<void>;
  status(): SharedStatus;
  close(): Promise<void>;
}

export const SharedState: ServiceIdentifier<SharedState> = Symbol.for('castellan.SharedState');
