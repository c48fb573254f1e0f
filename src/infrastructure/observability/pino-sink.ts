import { type DestinationStream, destination, pino } from 'pino';
import { asError } from '../../domain/thrown.js';
import type { LogSink } from './log-sink.js';

const STDERR = 2;
/** Lines waiting for a reader of stderr that does not read; beyond it they are dropped, not buffered. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** JSON lines, so that a newline in a message cannot forge a record. */
export function pinoSink(
  stream: DestinationStream = destination({ dest: STDERR, sync: false, maxLength: MAX_WAITING_BYTES }),
): LogSink {
  // Lines that are too quiet do not come here.
  const logger = pino({ level: 'trace', base: null }, stream);
  return (level, message, given) => {
    if (given === undefined) return logger[level]({}, message);
    const { error, ...fields } = given;
    logger[level]({ fields, ...(error !== undefined && { error: described(error) }) }, message);
  };
}

function described(thrown: unknown): object {
  const { name, message, stack = '' } = asError(thrown);
  return stack === '' ? { message } : { type: name, message, stack };
}
