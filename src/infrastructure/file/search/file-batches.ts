import type { ContentQuery } from '../../../application/ports/file/content-search.js';
import type { WalkEntry } from '../../../application/ports/file/safe-file-system.js';
import type { FileRun } from './searched-folders.js';

/**
 * The first batch answers common queries quickly; later ones are large enough to justify a process and its
 * sandbox.
 */
const FIRST_BATCH = 2048;
const BATCH_GROWTH = 64;
const LARGEST_BATCH = 131_072;

export interface FileBatch {
  readonly runs: readonly FileRun[];
  readonly files: number;
}

/** The files of a walk that a query may match, in order. */
export async function* batches(
  walked: AsyncIterable<readonly WalkEntry[]>,
  query: ContentQuery,
): AsyncGenerator<FileBatch> {
  let size = FIRST_BATCH;
  let files = 0;
  let runs: FileRun[] = [];
  let run: FileRun | undefined;
  for await (const entries of walked) {
    for (const entry of entries) {
      if (entry.kind !== 'file' || !entry.nameable) continue;
      if (query.include.length > 0 && !query.include.some((pattern) => pattern.matches(entry.path))) continue;
      if (files === size) {
        yield { runs, files };
        size = Math.min(size * BATCH_GROWTH, LARGEST_BATCH);
        files = 0;
        runs = [];
        run = undefined;
      }
      if (run?.folder !== entry.folder) {
        run = { folder: entry.folder, names: [] };
        runs.push(run);
      }
      run.names.push(entry.name);
      files += 1;
    }
  }
  if (files > 0) yield { runs, files };
}
