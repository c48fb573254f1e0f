import type { GlobalOptions } from '../presentation/cli/command-actions.js';
import type { Castellan } from './castellan.js';
import { configureEnvironment } from './configure-environment.js';
import { startCastellan } from './create-castellan.js';
import { standardInput } from './standard-input.js';

/** The prefix of the settings is the application's own default: in the environment before anything reads it there. */
export function openHere(where: GlobalOptions): Promise<Castellan> {
  return startCastellan(where, ({ settings }) => configureEnvironment(process.env, settings.toolPrefix));
}

/** Serves the client that started this process; resolves with the exit code. */
export async function serve(where: GlobalOptions): Promise<number> {
  const castellan = await openHere(where);
  let code = 0;
  const interrupted = (signal: NodeJS.Signals) => {
    code = signal === 'SIGINT' ? 130 : 0;
    void castellan.close();
  };
  process.once('SIGINT', interrupted);
  process.once('SIGTERM', interrupted);
  const input = standardInput();
  await castellan.serveStdio(input);
  await castellan.close();
  // A client that keeps its end open must not keep us alive.
  input.destroy();
  return code;
}
