import { execFileSync } from 'node:child_process';
import { MAIN } from './spawned-server.js';

const USER = 1000;

/**
 * Whom tests start servers as that must not be root's. Undefined where the tests themselves are an ordinary user's, and
 * where the project lies in a folder that only root enters: there the same tests run as root.
 */
export const ORDINARY_USER: number | undefined =
  process.getuid?.() === 0 && isReachable(MAIN) ? USER : undefined;

function isReachable(file: string): boolean {
  try {
    const script = 'require("node:fs").accessSync(process.argv[1], 4)';
    execFileSync(process.execPath, ['-e', script, file], { uid: USER, gid: USER, cwd: '/', stdio: 'ignore' });
    return true;
  } catch {
    console.warn(
      'No test runs as an ordinary user: others cannot reach this folder. `chmod o+x` the folders above.',
    );
    return false;
  }
}
