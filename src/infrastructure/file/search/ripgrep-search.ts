import { dirname } from 'node:path';
import type { CommandSandbox, SandboxLimits } from '../../../application/ports/command/command-sandbox.js';
import type { ContentQuery } from '../../../application/ports/file/content-search.js';
import { runProgram } from '../../process/process-starter.js';
import { isSensitive } from './line-matcher.js';

/**
 * Reduces files to those that may contain a match. They are given relative to a directory, each by itself or,
 * if all files directly in a directory are meant, by that directory. Only files are returned.
 */
export type FileSieve = (
  root: string,
  paths: readonly string[],
  query: ContentQuery,
  signal: AbortSignal,
) => Promise<ReadonlySet<string> | 'all'>;

const MAX_OUTPUT = 4 * 1024 * 1024;
/** Far more than a search takes; the call's own time and cancellation stop it earlier. */
const LIMITS: SandboxLimits = {
  timeoutMs: 600_000,
  maxOutputBytes: MAX_OUTPUT,
  memoryBytes: 1024 ** 3,
  processes: 64,
  openFiles: 1024,
  cpuSeconds: 600,
  fileBytes: 1024 ** 2,
  tmpBytes: 1024 ** 2,
};

/** The sandbox in which ripgrep runs. */
export interface SearchSandbox {
  readonly sandbox: CommandSandbox;
  /** A directory of its own; nothing is kept in it. */
  readonly home: string;
}

/** For machines without ripgrep: every file is searched. */
export const noSieve: FileSieve = async () => 'all';

/** ripgrep from its package, looked up at the first search; without it every file is searched. */
export function packagedRipgrep(contained: SearchSandbox): FileSieve {
  let found: Promise<FileSieve> | undefined;
  return async (...batch) => {
    found ??= findSieve(contained);
    return (await found)(...batch);
  };
}

async function findSieve(contained: SearchSandbox): Promise<FileSieve> {
  const binary = await ripgrepPath();
  if (binary === undefined) return noSieve;
  const { state } = await contained.sandbox.detect();
  return state === 'available' ? sandboxedSieve(binary, contained) : ripgrepSieve(binary);
}

/** The binary of the npm package; undefined if the package has none for this platform. */
export async function ripgrepPath(): Promise<string | undefined> {
  try {
    return (await import('@vscode/ripgrep')).rgPath;
  } catch {
    // The package throws while loading if its binary for this platform is not installed.
    return undefined;
  }
}

/**
 * ripgrep as a prefilter, in a sandbox with the directory to be searched and nothing else of the user's. It
 * receives only files that the guarded walk accepted, and returns only names: the lines are read through the
 * guarded file system. A directory replaced during the search leads it nowhere.
 */
export function sandboxedSieve(binary: string, { sandbox, home }: SearchSandbox): FileSieve {
  return async (root, paths, query, signal) => {
    if (signal.aborted) return new Set();
    const chunks: Uint8Array[] = [];
    const outcome = await sandbox.run(
      {
        program: { kind: 'argv', file: binary, args: [...flagsFor(query), '--', ...paths] },
        cwd: root,
        env: {},
        view: { read: [root, dirname(binary)], write: [], hide: [], readOnlyInside: [] },
        home,
        network: 'none',
        systemCalls: 'filtered',
        limits: LIMITS,
        saveOutput: async (chunk) => void chunks.push(chunk),
      },
      signal,
    );
    // If it cannot run, or prints too much, the guarded search reads every file.
    if (!outcome.success) return signal.aborted ? new Set() : 'all';
    const { exitCode, truncated } = outcome.value;
    return truncated ? 'all' : namesIn(chunks, exitCode);
  };
}

/**
 * The same without a sandbox. A swapped symlink may make ripgrep report the wrong file; the guarded read that
 * follows then finds no match.
 */
export function ripgrepSieve(binary: string): FileSieve {
  return async (root, paths, query, signal) => {
    if (signal.aborted) return new Set();
    const { exitCode, stdout, isTooLong } = await runProgram(binary, [...flagsFor(query), '--', ...paths], {
      cwd: root,
      env: {},
      timeoutMs: LIMITS.timeoutMs,
      maxBytes: MAX_OUTPUT,
      signal,
    });
    // If ripgrep cannot start, or does not accept the expression, the guarded search reads every file.
    return isTooLong ? 'all' : namesIn([stdout], exitCode);
  };
}

/**
 * ripgrep exits with 1 if nothing matched, and with 2 if it could not parse the expression or read a file.
 */
function namesIn(chunks: readonly Uint8Array[], exitCode: number | undefined): ReadonlySet<string> | 'all' {
  const names = Buffer.concat(chunks).toString('utf8').split('\0').slice(0, -1).map(withoutDot);
  const failed = exitCode !== 0 && exitCode !== 1;
  return failed && names.length === 0 ? 'all' : new Set(names);
}

/** Files directly in `.` are named `./file`. */
function withoutDot(path: string): string {
  return path.startsWith('./') ? path.slice(2) : path;
}

function flagsFor(query: ContentQuery): readonly string[] {
  return [
    '--no-config',
    '--no-messages',
    '--no-ignore',
    '--hidden',
    // Files directly in a named directory are read to their end, like those that are named themselves.
    '--max-depth=1',
    '--binary',
    '--no-mmap',
    '--files-with-matches',
    '--null',
    '--crlf',
    isSensitive(query) ? '--case-sensitive' : '--ignore-case',
    ...(query.literal ? ['--fixed-strings'] : []),
    '--regexp',
    query.query,
  ];
}
