import type { ServiceIdentifier } from 'inversify';

/**
 * How much of a file one result shows: what a model can afford to read at once. The policy may allow less.
 */
export interface ReadBudget {
  readonly bytes: number;
  /** Estimated. */
  readonly tokens: number;
}

export const ReadBudget: ServiceIdentifier<ReadBudget> = Symbol.for('castellan.ReadBudget');

export const DEFAULT_READ_BYTES = 100_000;
