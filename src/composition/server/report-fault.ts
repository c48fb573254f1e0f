import { standardError } from './standard-error.js';

/** By name: each chunk of the command may have the class for itself. */
const CONFIGURATION = new Set(['ConfigurationError', 'StoreRefused']);

/** Says on stderr why a command could not be carried out; answers with the exit code. */
export function reportFault(error: unknown): number {
  if (error instanceof Error && 'exitCode' in error && typeof error.exitCode === 'number') {
    // Commander has said what is wrong; --help and --version are no mistake.
    return error.exitCode === 0 ? 0 : 2;
  }
  standardError().write(`${error instanceof Error ? error.message : String(error)}\n`);
  return error instanceof Error && CONFIGURATION.has(error.name) ? 3 : 1;
}
