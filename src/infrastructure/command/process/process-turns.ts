import { TURN_CHARACTERS } from '../../../application/ports/system/turns.js';
import { EVENT_LOOP } from '../../system/immediate-turns.js';

/** What one turn of the event loop has room for: to list them, to look at their states, to signal them. */
const PROCESSES_A_TURN = 512;

/**
 * Resolves when this many processes may be looked at without a break. Commands of several callers end, and are watched,
 * at the same moment: all of them together would keep everybody waiting.
 */
export function turnFor(processes: number): Promise<void> {
  return EVENT_LOOP.take(Math.ceil((processes * TURN_CHARACTERS) / PROCESSES_A_TURN));
}
