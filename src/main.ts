import 'reflect-metadata/lite';
import { isatty } from 'node:tty';
import { reportFault } from './composition/server/report-fault.js';
import { serve } from './composition/server/serve.js';
import { standardError } from './composition/server/standard-error.js';

/** Set where the output could not be written. */
let lostOutput = false;

/** A client that starts us says nothing, or `serve`: the command line is loaded only where there is one to understand. */
async function run(words: readonly string[]): Promise<number> {
  const plainServe = words.length === 0 ? !isatty(0) : words.length === 1 && words[0] === 'serve';
  if (plainServe) return serve({});
  standardError();
  const { runCommandLine } = await import('./composition/cli/command-line.js');
  return runCommandLine();
}

/** Ends by itself when nothing is left to do. */
function finish(code: number): void {
  process.exitCode = lostOutput ? 1 : code;
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // `castellan tools | head`: a reader that has seen enough.
  if (error.code === 'EPIPE' || lostOutput) return;
  lostOutput = true;
  process.exitCode = 1;
  standardError().write(`The output cannot be written (${error.message}). Make room, or write elsewhere.\n`);
});

run(process.argv.slice(2)).then(finish, (error: unknown) => finish(reportFault(error)));
