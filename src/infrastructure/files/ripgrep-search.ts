import { spawn } from 'node:child_process';
import type { ContentQuery } from '../../application/ports/content-search.js';
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

/** For machines without ripgrep: every file is looked into. */
export const noSieve: FileSieve = async () => 'all';

/** ripgrep from its package, looked for at the first search; without one every file is looked into. */
export function packagedRipgrep(): FileSieve {
  let found: Promise<FileSieve> | undefined;
  return async (...batch) => {
    found ??= ripgrepPath().then((binary) => (binary === undefined ? noSieve : ripgrepSieve(binary)));
    return (await found)(...batch);
  };
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
 * ripgrep as a sieve. It is given only files that the guarded walk accepted, and only names come back: the lines
 * themselves are read through the guarded file system. A folder exchanged under its feet can at most let it
 * name a file of ours wrongly, and then the second look finds nothing.
 */
export function ripgrepSieve(binary: string): FileSieve {
  return (root, paths, query, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve(new Set());
      const child = spawn(binary, [...flagsFor(query), '--', ...paths], {
        cwd: root,
        env: {},
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const chunks: Buffer[] = [];
      let bytes = 0;
      const stop = () => child.kill('SIGKILL');
      signal.addEventListener('abort', stop, { once: true });
      child.stdout.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MAX_OUTPUT) stop();
        else chunks.push(chunk);
      });
      // Where ripgrep cannot start, or does not know the expression, the guarded search looks into every file.
      child.on('error', () => resolve('all'));
      child.on('close', (code) => {
        signal.removeEventListener('abort', stop);
        const names = Buffer.concat(chunks).toString('utf8').split('\0').slice(0, -1).map(withoutDot);
        const failed = code !== 0 && code !== 1;
        resolve(failed && names.length === 0 ? 'all' : new Set(names));
      });
    });
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
