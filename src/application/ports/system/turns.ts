import type { ServiceIdentifier } from 'inversify';

/** Long work gives way to calls that wait: it asks for its turn before each piece. */
export interface Turns {
  /**
   * Resolves when this many characters of text may be worked on without a break: at once while the turn has room,
   * otherwise after everything that waited has run.
   */
  take(characters: number): Promise<void>;
}

/** Characters of text that one turn has room for. */
export const TURN_CHARACTERS = 128 * 1024;

export const Turns: ServiceIdentifier<Turns> = Symbol.for('castellan.Turns');
