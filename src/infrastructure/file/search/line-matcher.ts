import type { ContentQuery } from '../../../application/ports/file/content-search.js';
import { Result } from '../../../domain/result.js';
import { type Calculations, calculations } from '../../calculation/calculations.js';

/** Finds the first match in a line, in time linear in the line; -1 if there is none. */
export interface LineMatcher {
  /**
   * The number of instructions of the expression; multiplied by the length of a line, the steps that a match
   * may take.
   */
  readonly size: number;
  find(line: string): number;
  /**
   * The same in a process that can be killed, for expressions that would block the server. Fails if it was
   * killed.
   */
  findApart(line: string, signal: AbortSignal): Promise<Result<number>>;
}

export function isSensitive(query: Pick<ContentQuery, 'query' | 'case'>): boolean {
  if (query.case === 'smart') return query.query !== query.query.toLowerCase();
  return query.case === 'sensitive';
}

export async function compileLineMatcher(
  query: ContentQuery,
  apart: Calculations = calculations,
): Promise<Result<LineMatcher>> {
  if (query.query === '') return Result.failure('The query must not be empty.', 'InvalidQuery');
  if (query.literal && isSensitive(query)) return Result.ok(literalMatcher(query.query));
  const { RE2JS } = await import('re2js');
  const source = query.literal ? RE2JS.quote(query.query) : query.query;
  const ignoreCase = !isSensitive(query);
  try {
    const expression = RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    return Result.ok({
      size: expression.programSize(),
      find: (line) => {
        // Testing for a match is many times faster than locating it.
        if (!expression.test(line)) return -1;
        const matcher = expression.matcher(line);
        return matcher.find() ? matcher.start() : -1;
      },
      findApart: (text, signal) =>
        apart.run({ kind: 'first-match', source, ignoreCase, text }, isPosition, signal),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return Result.failure(
      `The query is not a valid RE2 expression: ${reason}. Correct it, or set literal to search for the text as it is.`,
      'InvalidQuery',
    );
  }
}

function isPosition(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value);
}

function literalMatcher(text: string): LineMatcher {
  const find = (line: string) => line.indexOf(text);
  return { size: 0, find, findApart: async (line) => Result.ok(find(line)) };
}
