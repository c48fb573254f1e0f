import { setTimeout as sleep } from 'node:timers/promises';
import type {
  ContentMatch,
  ContentPage,
  ContentQuery,
  ContentSearch,
  QueryError,
  SearchAccess,
} from '../../../application/ports/file/content-search.js';
import type { FileWalker } from '../../../application/ports/file/file-walker.js';
import type { SafeFileSystem } from '../../../application/ports/file/safe-file-system.js';
import { type FileError, fileError } from '../../../domain/file/file-error.js';
import { encodeCursor, type PagePosition, parseCursor } from '../../../domain/file/path-cursor.js';
import { Result } from '../../../domain/result.js';
import { batches, type FileBatch } from './file-batches.js';
import { withoutHugeBinaries } from './huge-binaries.js';
import { compileLineMatcher, type LineMatcher } from './line-matcher.js';
import { LineSearch } from './line-search.js';
import type { FileSieve } from './ripgrep-search.js';
import { type FileRun, filesAmong, pathsOf, SearchedFolders } from './searched-folders.js';

const MAX_ARGUMENT_BYTES = 900_000;
const PATIENCE_MS = 1000;

interface Hunt {
  readonly root: string;
  readonly query: ContentQuery;
  readonly matches: LineMatcher;
  readonly start: PagePosition | undefined;
  readonly access: SearchAccess;
  readonly found: ContentMatch[];
  searched: number;
  /** A line for which the expression took too long. */
  tooSlow?: string;
}

/** Walks under guard, lets a prefilter drop files without a match, and reads the rest under guard. */
export class GuardedContentSearch implements ContentSearch {
  constructor(
    private readonly files: SafeFileSystem,
    private readonly walker: FileWalker,
    private readonly sieve: FileSieve,
  ) {}

  async search(
    root: string,
    query: ContentQuery,
    access: SearchAccess,
  ): Promise<Result<ContentPage, FileError | QueryError>> {
    const matches = await compileLineMatcher(query);
    if (!matches.success) return invalidQuery(matches.error);
    const start = query.cursor === undefined ? undefined : parseCursor(query.cursor);
    if (start?.success === false) return invalidQuery(start.error);
    const where = await this.files.info(root, { followLinks: true }, access);
    if (!where.success) return where;
    const hunt: Hunt = {
      root: where.value.realPath,
      query,
      matches: matches.value,
      start: start?.value,
      access,
      found: [],
      searched: 0,
    };
    const failed = where.value.kind === 'directory' ? await this.#hunt(hunt) : await this.#inOneFile(hunt);
    if (failed !== undefined) return Result.failure(failed, 'FileError');
    if (access.signal.aborted) return Result.failure(fileError('cancelled', root), 'FileError');
    if (hunt.tooSlow !== undefined) return tooSlow(hunt.tooSlow);
    return Result.ok(pageOf(hunt));
  }

  async #hunt(hunt: Hunt): Promise<FileError | undefined> {
    const { query, start } = hunt;
    const folders = new SearchedFolders();
    const found = await this.walker.find(
      hunt.root,
      {
        ignore: query.ignore,
        exclude: query.exclude,
        leave: (...folder) => folders.leave(...folder),
        // The cursor's own file may have more matches, so it is searched first.
        ...(start && { after: start.path }),
      },
      hunt.access,
    );
    if (!found.success) return found.error;
    if (start !== undefined) await this.#look(hunt, start.path, start.line ?? 0);
    let previous: Promise<void> = Promise.resolve();
    for await (const batch of batches(found.value, query)) {
      const sifted = this.#sift(hunt, batch, folders.places(batch.runs));
      await previous;
      if (isFull(hunt) || hunt.access.signal.aborted) return void (await sifted);
      previous = sifted.then((kept) => this.#lookAll(hunt, kept));
    }
    await previous;
    return undefined;
  }

  async #inOneFile(hunt: Hunt): Promise<FileError | undefined> {
    const opened = await this.files.open(hunt.root, hunt.access);
    if (!opened.success) return opened.error;
    opened.value.close();
    const name = hunt.root.slice(hunt.root.lastIndexOf('/') + 1);
    const file = { ...hunt, root: hunt.root.slice(0, -name.length - 1) || '/' };
    await this.#look(file, name, hunt.start?.line ?? 0);
    if (file.tooSlow !== undefined) hunt.tooSlow = file.tooSlow;
    return undefined;
  }

  async #sift(hunt: Hunt, { runs, files }: FileBatch, places: readonly string[]): Promise<readonly string[]> {
    const kept = await this.#patientSieve(hunt, runs, places);
    hunt.searched += files;
    return kept === 'all' ? pathsOf(runs) : filesAmong(runs, kept);
  }

  /** A prefilter reads named files to their end, even disk images: a slow batch is retried without those. */
  async #patientSieve(
    hunt: Hunt,
    runs: readonly FileRun[],
    places: readonly string[],
  ): Promise<ReadonlySet<string> | 'all'> {
    const { root, query, access } = hunt;
    const first = new AbortController();
    const stop = () => first.abort();
    access.signal.addEventListener('abort', stop, { once: true });
    const sieved = this.#sieveAll(root, places, query, first.signal);
    const slow = Symbol('slow');
    const timer = new AbortController();
    const waited = sleep(PATIENCE_MS, slow, { signal: timer.signal }).catch(() => slow);
    try {
      const answer = await Promise.race([sieved, waited]);
      if (typeof answer !== 'symbol') return answer;
      const paths = pathsOf(runs);
      const texts = await withoutHugeBinaries(this.files, root, paths, access);
      if (texts.length === paths.length || access.signal.aborted) return await sieved;
      first.abort();
      return texts.length === 0 ? new Set() : await this.#sieveAll(root, texts, query, access.signal);
    } finally {
      timer.abort();
      access.signal.removeEventListener('abort', stop);
    }
  }

  /** As many runs as the kernel's limit on arguments requires; usually one. */
  async #sieveAll(
    root: string,
    places: readonly string[],
    query: ContentQuery,
    signal: AbortSignal,
  ): Promise<ReadonlySet<string> | 'all'> {
    const kept = new Set<string>();
    for (const part of byArgumentBytes(places)) {
      const some = await this.sieve(root, part, query, signal);
      if (some === 'all') return 'all';
      for (const path of some) kept.add(path);
    }
    return kept;
  }

  async #lookAll(hunt: Hunt, paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      if (isFull(hunt) || hunt.access.signal.aborted) return;
      await this.#look(hunt, path, 0);
    }
  }

  async #look(hunt: Hunt, path: string, afterLine: number): Promise<void> {
    const opened = await this.files.open(
      hunt.root === '/' ? `/${path}` : `${hunt.root}/${path}`,
      hunt.access,
    );
    // Gone since the walk, or not readable for this caller: no result.
    if (!opened.success) return;
    const limit = hunt.query.limit + 1 - hunt.found.length;
    const search = new LineSearch(path, hunt.matches, { context: hunt.query.context, limit, afterLine });
    const found = await search.run(opened.value, hunt.access.signal);
    opened.value.close();
    if (search.interrupted !== undefined) hunt.tooSlow = `a line of ${path}: ${search.interrupted}`;
    if (found.success) hunt.found.push(...found.value);
  }
}

function byArgumentBytes(places: readonly string[]): readonly (readonly string[])[] {
  const parts: string[][] = [];
  let part: string[] = [];
  let bytes = 0;
  for (const place of places) {
    // The path, its terminator and its pointer: what the kernel counts for an argument.
    const cost = Buffer.byteLength(place) + 9;
    if (part.length === 0 || bytes + cost > MAX_ARGUMENT_BYTES) {
      part = [];
      parts.push(part);
      bytes = 0;
    }
    part.push(place);
    bytes += cost;
  }
  return parts;
}

function isFull(hunt: Hunt): boolean {
  return hunt.found.length > hunt.query.limit || hunt.tooSlow !== undefined;
}

function pageOf(hunt: Hunt): ContentPage {
  const matches = hunt.found.slice(0, hunt.query.limit);
  const last = matches.at(-1);
  const more = hunt.found.length > hunt.query.limit && last !== undefined;
  return {
    matches,
    filesSearched: hunt.searched,
    ...(more && { cursor: encodeCursor({ path: last.path, line: last.line }) }),
  };
}

function tooSlow(where: string) {
  return invalidQuery(
    `The expression could not be held against ${where}. Write a simpler expression, set literal, or leave the file out with exclude.`,
  );
}

function invalidQuery(message: string) {
  const error: QueryError = { kind: 'invalid-query', message };
  return Result.failure(error, 'InvalidQuery');
}
