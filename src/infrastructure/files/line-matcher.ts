import type { ContentQuery } from '../../application/ports/content-search.js';
import { Result } from '../../domain/result.js';

/** The position of the first match in a line; -1 for none. Linear in the line, whatever the expression. */
export type LineMatcher = (line: string) => number;

export function isSensitive(query: Pick<ContentQuery, 'query' | 'case'>): boolean {
  if (query.case === 'smart') return query.query !== query.query.toLowerCase();
  return query.case === 'sensitive';
}

export async function compileLineMatcher(query: ContentQuery): Promise<Result<LineMatcher>> {
  if (query.query === '') return Result.failure('The query must not be empty.', 'InvalidQuery');
  if (query.literal && isSensitive(query)) return Result.ok((line) => line.indexOf(query.query));
  const { RE2JS } = await import('re2js');
  const source = query.literal ? RE2JS.quote(query.query) : query.query;
  try {
    const expression = RE2JS.compile(source, isSensitive(query) ? 0 : RE2JS.CASE_INSENSITIVE);
    return Result.ok((line) => {
      const matcher = expression.matcher(line);
      return matcher.find() ? matcher.start() : -1;
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return Result.failure(
      `The query is no valid RE2 expression: ${reason}. Correct it, or set literal to search for the text as it is.`,
      'InvalidQuery',
    );
  }
}
