import { inject, injectable } from 'inversify';
import type {
  FilePage,
  FileQuery,
  FileWalker,
  PageOptions,
} from '../../application/ports/file/file-walker.js';
import {
  type EntryFilter,
  type FileAccess,
  SafeFileSystem,
  type WalkEntry,
  type WalkOptions,
} from '../../application/ports/file/safe-file-system.js';
import { type FileError, fileError } from '../../domain/file/file-error.js';
import { IgnoreRules } from '../../domain/file/ignore-rules.js';
import { encodeCursor, parseCursor } from '../../domain/file/path-cursor.js';
import { isInside } from '../../domain/permission/path/normal-path.js';
import { Result } from '../../domain/result.js';

const MAX_BATCH = 256;

/** The ignore rules that apply in a directory, from the top down. */
interface Scope {
  readonly directory: string;
  readonly layers: readonly { readonly from: string; readonly rules: IgnoreRules }[];
}

/** Adds patterns, excludes and .gitignore to the guarded walk. */
@injectable()
export class GuardedFileWalker implements FileWalker {
  constructor(@inject(SafeFileSystem) private readonly files: SafeFileSystem) {}

  async find(
    root: string,
    query: FileQuery,
    access: FileAccess,
  ): Promise<Result<AsyncIterable<readonly WalkEntry[]>, FileError>> {
    return this.files.walk(root, walkOptions(query), access);
  }

  async page(
    root: string,
    query: FileQuery,
    options: PageOptions,
    access: FileAccess,
  ): Promise<Result<FilePage, FileError>> {
    const start = options.cursor === undefined ? undefined : parseCursor(options.cursor);
    if (start?.success === false) {
      return Result.failure(fileError('invalid-path', root, start.error), 'FileError');
    }
    const after = start?.value.path ?? query.after;
    const batch = batchFor(options.limit);
    const found = await this.find(root, { ...query, batch, ...(after !== undefined && { after }) }, access);
    if (!found.success) return found;
    const entries: WalkEntry[] = [];
    for await (const batch of found.value) {
      for (const entry of batch) {
        if (entries.length === options.limit || options.take?.(entry) === false)
          return Result.ok(cutPage(entries));
        entries.push(entry);
      }
    }
    if (access.signal.aborted) return Result.failure(fileError('cancelled', root), 'FileError');
    return Result.ok({ entries });
  }
}

function cutPage(entries: readonly WalkEntry[]): FilePage {
  const last = entries.at(-1);
  return last === undefined ? { entries } : { entries, cursor: encodeCursor({ path: last.path }) };
}

/**
 * One entry more than the page shows whether there is a next one; the last batch should not read much
 * further.
 */
function batchFor(limit: number): number {
  const wanted = limit + 1;
  return Math.ceil(wanted / Math.ceil(wanted / MAX_BATCH));
}

function walkOptions(query: FileQuery): WalkOptions {
  const scopes: Scope[] = [];
  const { pattern } = query;
  return {
    ...(pattern !== undefined && {
      select: (name: string, directory: string) =>
        pattern.matches(pattern.namesOnly || directory === '' ? name : `${directory}/${name}`),
    }),
    ...(query.maxDepth !== undefined && { maxDepth: query.maxDepth }),
    ...(query.times !== undefined && { times: query.times }),
    ...(query.after !== undefined && { after: query.after }),
    ...(query.batch !== undefined && { batch: query.batch }),
    ...(query.ignore && { rulesFile: '.gitignore' }),
    ...(query.leave !== undefined && { leave: query.leave }),
    enter: (directory, rules) => entryFilter(directory, enterScope(scopes, directory, rules), query),
  };
}

/** The walk is depth first: scopes that are not ancestors of the entered directory are finished. */
function enterScope(scopes: Scope[], directory: string, rules: string | undefined): Scope {
  for (
    let top = scopes.at(-1);
    top !== undefined && !isWithin(directory, top.directory);
    top = scopes.at(-1)
  ) {
    scopes.pop();
  }
  const above = scopes.at(-1)?.layers ?? [];
  const layers =
    rules === undefined ? above : [...above, { from: directory, rules: IgnoreRules.parse(rules) }];
  const scope = { directory, layers };
  scopes.push(scope);
  return scope;
}

function isWithin(directory: string, ancestor: string): boolean {
  return ancestor === '' || isInside(directory, ancestor);
}

function entryFilter(directory: string, scope: Scope, query: FileQuery): EntryFilter | undefined {
  const exclude = query.exclude ?? [];
  const layers = query.ignore ? scope.layers : [];
  if (exclude.length === 0 && layers.length === 0) {
    return query.ignore ? (name) => name !== '.git' : undefined;
  }
  const prefix = directory === '' ? '' : `${directory}/`;
  return (name, isDirectory) => {
    if (query.ignore && name === '.git') return false;
    const path = prefix + name;
    for (let index = layers.length - 1; index >= 0; index -= 1) {
      const layer = layers[index];
      const relative = layer === undefined || layer.from === '' ? path : path.slice(layer.from.length + 1);
      const ignored = layer?.rules.ignores(relative, isDirectory);
      if (ignored === true) return false;
      if (ignored === false) break;
    }
    return !exclude.some((pattern) => pattern.matches(path));
  };
}
