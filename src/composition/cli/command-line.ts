import { buildProgram } from '../../presentation/cli/program/program.js';
import { packageVersion } from '../server/package-version.js';
import { operatorActions } from './operator-actions.js';
import { servingActions } from './serving-actions.js';

/** Understands the command line and does what it says; resolves with the exit code. */
export async function runCommandLine(): Promise<number> {
  let exitCode = 0;
  await buildProgram(packageVersion, { ...servingActions, ...operatorActions }, (code) => {
    exitCode = code;
  }).parseAsync();
  return exitCode;
}
