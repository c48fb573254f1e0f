import 'reflect-metadata';
import { isatty } from 'node:tty';
import { serve } from './composition/server/serve.js';

/** A client that starts us says nothing, or `serve`: the command line is loaded only where there is one to understand. */
async function run(words: readonly string[]): Promise<number> {
  const plainServe = words.length === 0 ? !isatty(0) : words.length === 1 && words[0] === 'serve';
  if (plainServe) return serve({});
  const { runCommandLine } = await import('./composition/cli/command-line.js');
  return runCommandLine();
}

/** Ends by itself when nothing is left to do. */
function finish(code: number): void {
  process.exitCode = code;
}

function exitCodeOf(error: unknown): number {
  if (error instanceof Error && 'exitCode' in error && typeof error.exitCode === 'number') {
    // Commander has said what is wrong; --help and --version are no mistake.
    return error.exitCode === 0 ? 0 : 2;
  }
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return error instanceof Error && error.name === 'ConfigurationError' ? 3 : 1;
}

// `castellan tools | head`: a reader that has seen enough is no reason for a stack trace.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

run(process.argv.slice(2)).then(finish, (error: unknown) => finish(exitCodeOf(error)));
