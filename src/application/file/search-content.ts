import { inject, injectable } from 'inversify';
import { encodeCursor } from '../../domain/file/path-cursor.js';
import { Result } from '../../domain/result.js';
import { executionFailed, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import { type ContentMatch, type ContentQuery, ContentSearch } from '../ports/file/content-search.js';
import { SafeFileSystem } from '../ports/file/safe-file-system.js';
import type { FileCall } from './file-call.js';
import { fileFailure } from './file-failure.js';
import { compilePatterns, type FoundEntries } from './find-entries.js';
import { FittingPage } from './fitting-page.js';

export interface SearchContentQuery extends Omit<ContentQuery, 'include' | 'exclude'> {
  readonly path: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** A match as shown in the result. */
type ShownMatch = { readonly [Key in keyof ContentMatch]: ContentMatch[Key] };

/** Finds matching lines in readable files, one page at a time. */
@injectable()
export class SearchContentHandler {
  constructor(
    @inject(ContentSearch) private readonly search: ContentSearch,
    @inject(SafeFileSystem) private readonly files: SafeFileSystem,
  ) {}

  async handle(
    query: SearchContentQuery,
    call: FileCall,
  ): Promise<Result<FoundEntries<ShownMatch>, ToolError>> {
    const include = compilePatterns('include', query.include);
    if (!include.success) return include;
    const exclude = compilePatterns('exclude', query.exclude);
    if (!exclude.success) return exclude;
    const root = call.resolve(query.path);
    const where = await this.files.info(root, { followLinks: true }, call.access);
    if (!where.success) return fileFailure(where.error);
    const found = await this.search.search(
      root,
      { ...query, include: include.value, exclude: exclude.value },
      { ...call.access, signal: call.signal },
    );
    if (!found.success) {
      if (found.error.kind !== 'invalid-query') return fileFailure(found.error);
      return toolFailure(executionFailed(found.error.message, { type: 'InvalidQueryError' }));
    }
    const { matches, cursor } = found.value;
    const shown = call.show(root);
    const prefix = shown === '.' ? '' : shown === '/' ? '/' : `${shown}/`;
    const isFile = where.value.kind !== 'directory';
    const fitting = new FittingPage<ShownMatch>(call.maxOutputBytes);
    for (const match of matches) {
      const path = isFile ? shown : prefix + match.path;
      if (!fitting.take({ ...match, path })) break;
    }
    const next = nextCursor(matches, fitting.items.length, cursor);
    const page = next === undefined ? undefined : { truncated: true, next_cursor: next };
    return Result.ok({ items: fitting.items, ...(page && { page }) });
  }
}

/** Where the next page begins: after what fitted, or where the search itself stopped. */
function nextCursor(
  matches: readonly ContentMatch[],
  fitted: number,
  cursor: string | undefined,
): string | undefined {
  const last = fitted < matches.length ? matches[fitted - 1] : undefined;
  return last === undefined ? cursor : encodeCursor({ path: last.path, line: last.line });
}
