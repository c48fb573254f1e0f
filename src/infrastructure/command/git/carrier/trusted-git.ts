import { existsSync } from 'node:fs';
import { runAtOnce } from '../../../process/ask-at-once.js';
import { SYSTEM_GIT } from '../system-git.js';

export interface GitAnswer {
  readonly isDone: boolean;
  readonly out: Buffer;
  readonly complaint: string;
}

interface GitPlace {
  /** Never a folder that commands can write. */
  readonly folder?: string;
  readonly input?: Uint8Array | string;
  /** An open file, read from its beginning. */
  readonly inputFile?: number;
  readonly env?: Readonly<Record<string, string>>;
}

const PATIENCE_MS = 300_000;
const MAX_BYTES = 512 * 1024 * 1024;
/** Of each git: what it reads may be made to use up memory. In seconds and kilobytes. */
const LIMITS = 'ulimit -t 240; ulimit -v 4194304; exec "$0" "$@"';

/** Nobody but us says what git does: no settings of the machine or the user, no hook, no program, no network. */
const ENVIRONMENT = {
  PATH: '/usr/bin:/bin',
  HOME: '/',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_TERMINAL_PROMPT: '0',
  GIT_COMMITTER_NAME: 'airlock',
  GIT_COMMITTER_EMAIL: 'airlock@localhost',
};
const NEUTRAL = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'gc.auto=0',
  'safe.directory=*',
  'core.logAllRefUpdates=false',
];

/** The lines that this git writes into logs by itself. */
export const OWN_LINE = ' airlock <airlock@localhost> ';

export function trustedGit(
  args: readonly string[],
  { folder, input, inputFile, env }: GitPlace = {},
): GitAnswer {
  const git = SYSTEM_GIT.find((path) => existsSync(path)) ?? 'git';
  const settings = NEUTRAL.flatMap((setting) => ['-c', setting]);
  const run = runAtOnce('/bin/sh', ['-c', LIMITS, git, ...settings, ...args], {
    env: { ...ENVIRONMENT, ...(folder !== undefined && { GIT_DIR: folder, GIT_WORK_TREE: '/' }), ...env },
    input,
    inputFile,
    timeoutMs: PATIENCE_MS,
    maxBytes: MAX_BYTES,
  });
  return { ...run, complaint: run.complaint.slice(0, 500) };
}
