import { inject, injectable } from 'inversify';
import type { JsonValue } from '../../domain/json-value.js';
import { compilePattern, type PathPattern } from '../../domain/permission/path/path-pattern.js';
import { type Page, Result } from '../../domain/result.js';
import { invalidInput, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import { FileWalker } from '../ports/file/file-walker.js';
import type { WalkEntry } from '../ports/file/safe-file-system.js';
import type { FileCall } from './file-call.js';
import { fileFailure } from './file-failure.js';
import { FittingPage } from './fitting-page.js';

export interface FindEntriesQuery<T extends JsonValue> {
  readonly path: string;
  readonly pattern?: string;
  readonly exclude?: readonly string[];
  readonly ignore: boolean;
  readonly maxDepth?: number;
  readonly times: boolean;
  readonly limit: number;
  readonly cursor?: string;
  /** Formats an entry; `path` is the path shown to the caller. */
  show(entry: WalkEntry, path: string): T;
}

export interface FoundEntries<T> {
  readonly items: readonly T[];
  readonly page?: Page;
}

/** Returns one page of the entries below a directory, for listing and for finding by name. */
@injectable()
export class FindEntriesHandler {
  constructor(@inject(FileWalker) private readonly walker: FileWalker) {}

  async handle<T extends JsonValue>(
    query: FindEntriesQuery<T>,
    call: FileCall,
  ): Promise<Result<FoundEntries<T>, ToolError>> {
    const wanted = query.pattern === undefined ? [] : [query.pattern];
    const pattern = compilePatterns('pattern', wanted);
    if (!pattern.success) return pattern;
    const exclude = compilePatterns('exclude', query.exclude ?? []);
    if (!exclude.success) return exclude;
    const { ignore, maxDepth, times, limit, cursor } = query;
    const [only] = pattern.value;
    const root = call.resolve(query.path);
    const shown = call.show(root);
    const prefix = shown === '.' ? '' : shown === '/' ? '/' : `${shown}/`;
    const fitting = new FittingPage<T>(call.maxOutputBytes);
    const take = (entry: WalkEntry) => fitting.take(query.show(entry, prefix + entry.path));
    const found = await this.walker.page(
      root,
      {
        ignore,
        times,
        exclude: exclude.value,
        ...(only !== undefined && { pattern: only }),
        ...(maxDepth !== undefined && { maxDepth }),
      },
      { limit, take, ...(cursor !== undefined && { cursor }) },
      call.access,
    );
    if (!found.success) return fileFailure(found.error);
    const next_cursor = found.value.cursor;
    const page = next_cursor === undefined ? undefined : { truncated: true, next_cursor };
    return Result.ok({ items: fitting.items, ...(page && { page }) });
  }
}

export function compilePatterns(
  argument: string,
  sources: readonly string[],
): Result<readonly PathPattern[], ToolError> {
  const patterns: PathPattern[] = [];
  for (const source of sources) {
    const compiled = compilePattern(source);
    if (!compiled.success) return wrongPattern(argument, source, compiled.error);
    patterns.push(compiled.value);
  }
  return Result.ok(patterns);
}

function wrongPattern(argument: string, received: string, why: string) {
  return toolFailure(
    invalidInput([
      {
        parameter_name: argument,
        issue: `${argument}: ${why}`,
        expected: 'a glob such as *.ts, src/**/*.ts or {a,b}.md',
        received: received.slice(0, 100),
        hint: 'Correct the pattern, or omit it.',
      },
    ]),
  );
}
