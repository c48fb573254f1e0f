import { dirname } from 'node:path';
import type { CommandSandbox, SandboxLimits } from '../../../application/ports/command/command-sandbox.js';
import type { ContentQuery } from '../../../application/ports/file/content-search.js';
import { runProgram } from '../../process/process-starter.js';
import { isSensitive } from './line-matcher.js';

/**
 * Narrows files down to those that may have a match. They are given relative to a folder, each by itself or, where
 * all files right in a folder are meant, by that folder. Only files are named in the answer.
 */
export type FileSieve = (
  root: string,
  paths: readonly string[],
  query: ContentQuery,
  signal: AbortSignal,
) => Promise<ReadonlySet<string> | 'all'>;

const MAX_OUTPUT = 4 * 1024 * 1024;
/** Far beyond what a search takes; the call's own time and cancellation end it before. */
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

/** Where ripgrep is let loose. */
export interface SearchSandbox {
  readonly sandbox: CommandSandbox;
  /** A folder of its own; nothing is kept in it. */
  readonly home: string;
}

/** For machines without ripgrep: every file is looked into. */
export const noSieve: FileSieve = async () => 'all';

/** ripgrep from its package, looked for at the first search; without one every file is looked into. */
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

/** The binary of the npm package; undefined where the package has none for this platform. */
export async function ripgrepPath(): Promise<string | undefined> {
  try {
    return (await import('@vscode/ripgrep')).rgPath;
  } catch {
    // The package throws while loading when its binary for this platform is not installed.
    return undefined;
  }
}

/**
 * ripgrep as a sieve, in a sandbox that has the folder to be searched and nothing else of the user's. It is given
 * only files that the guarded walk accepted, and only names come back: the lines themselves are read through the
 * guarded file system. A folder exchanged under its feet leads it nowhere.
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
    // Where it cannot run, or says too much, the guarded search looks into every file.
    if (!outcome.success) return signal.aborted ? new Set() : 'all';
    const { exitCode, truncated } = outcome.value;
    return truncated ? 'all' : namesIn(chunks, exitCode);
  };
}

/** The same where there is no sandbox: it could then name a file of ours wrongly, and the second look finds nothing. */
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
    // Where ripgrep cannot start, or does not know the expression, the guarded search looks into every file.
    return isTooLong ? 'all' : namesIn([stdout], exitCode);
  };
}

/** ripgrep ends with 1 where it found nothing, and with 2 where it did not understand or could not read. */
function namesIn(chunks: readonly Uint8Array[], exitCode: number | undefined): ReadonlySet<string> | 'all' {
  const names = Buffer.concat(chunks).toString('utf8').split('\0').slice(0, -1).map(withoutDot);
  const failed = exitCode !== 0 && exitCode !== 1;
  return failed && names.length === 0 ? 'all' : new Set(names);
}

/** What is right in `.` is named `./file`. */
function withoutDot(path: string): string {
  return path.startsWith('./') ? path.slice(2) : path;
}

function flagsFor(query: ContentQuery): readonly string[] {
  return [
    '--no-config',
    '--no-messages',
    '--no-ignore',
    '--hidden',
    // Files right in a folder that is named; and as those that are named themselves, to their end.
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
