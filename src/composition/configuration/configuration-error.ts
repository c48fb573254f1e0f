import type { Result } from '../../domain/result.js';

/** Wrong configuration stops the start; the message has a line for every problem, with its place. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** The value, or a stop with the reason why there is none. */
export function orThrow<T>(result: Result<T>): T {
  if (!result.success) throw new ConfigurationError(result.error);
  return result.value;
}
