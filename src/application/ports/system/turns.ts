import type { ServiceIdentifier } from 'inversify';

/** Lets waiting calls run between the pieces of long work. */
export interface Turns {
  /**
   * Resolves when this many characters may be processed without a break: immediately while the current turn
   * has room, otherwise after everything that was waiting has run.
   */
  take(characters: number): Promise<void>;
}

/** The number of characters that one turn has room for. */
export const TURN_CHARACTERS = 128 * 1024;

export const Turns: ServiceIdentifier<Turns> = Symbol.for('castellan.Turns');
