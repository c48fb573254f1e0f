import 'reflect-metadata';
import { operatorActions } from './composition/operator-actions.js';
import { packageVersion } from './composition/package-version.js';
import { servingActions } from './composition/serving-actions.js';
import { processOutput } from './presentation/cli/output.js';
import { buildProgram } from './presentation/cli/program.js';

/** Ends by itself when nothing is left to do; a client that keeps stdin open must not keep us alive. */
function finish(code: number): void {
  process.exitCode = code;
  process.stdin.destroy();
}

// `castellan tools | head`: a reader that has seen enough is no reason for a stack trace.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

buildProgram(packageVersion, { ...servingActions, ...operatorActions }, finish)
  .parseAsync()
  .catch((error: unknown) => finish(exitCodeOf(error)));

function exitCodeOf(error: unknown): number {
  if (error instanceof Error && 'exitCode' in error && typeof error.exitCode === 'number') {
    // Commander has said what is wrong; --help and --version are no mistake.
    return error.exitCode === 0 ? 0 : 2;
  }
  processOutput.err(error instanceof Error ? error.message : String(error));
  return error instanceof Error && error.name === 'ConfigurationError' ? 3 : 1;
}
