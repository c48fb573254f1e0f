import { type Failure, Result } from '../result.js';
import type { CommandRefusal } from './command-plan.js';

/** A failed Result for a command line that is not accepted. `offset` is counted from 0. */
export function refuseCommand(
  reason: CommandRefusal['reason'],
  message: string,
  hint: string,
  offset?: number,
): Failure<CommandRefusal> {
  const refusal: CommandRefusal = {
    reason,
    message: offset === undefined ? message : `${message} (column ${offset + 1})`,
    hint,
    ...(offset !== undefined && { column: offset + 1 }),
  };
  return Result.failure(refusal, 'PermissionDeniedError', { instruction: hint });
}

export function hazard(message: string, hint: string): Failure<CommandRefusal> {
  return refuseCommand('HAZARDOUS_ARGUMENT', message, hint);
}
