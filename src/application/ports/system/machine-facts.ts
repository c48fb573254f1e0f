import type { ServiceIdentifier } from 'inversify';

export interface Machine {
  /** The kernel and machine in one line. */
  readonly platform: string;
  readonly system: string;
  readonly release: string;
  readonly version: string;
  readonly machine: string;
  readonly processor: string;
  readonly nodeVersion: string;
  /** USER, else USERNAME, else `unknown`. */
  readonly user: string;
}

/** Facts about the machine that are not secret. */
export interface MachineFacts {
  read(): Machine;
}

export const MachineFacts: ServiceIdentifier<MachineFacts> = Symbol.for('castellan.MachineFacts');
