import { Result } from '../../result.js';

/** One part of an expression: a category or collection, and which of its documents. */
export interface ContentPart {
  readonly name: string;
  /** Any of them may match; empty if the patterns of the category or collection apply. */
  readonly patterns: readonly string[];
}

const MAX_EXPRESSION = 2000;

/**
 * Parses `part(,part)*` with `part = name[/pattern(+pattern)*]`. Only the first slash of a part separates. A
 * pattern given in addition is appended to every part.
 */
export function parseContentExpression(expression: string, pattern = ''): Result<readonly ContentPart[]> {
  if (expression.length + pattern.length > MAX_EXPRESSION) {
    return refused(`An expression has at most ${MAX_EXPRESSION} characters; got ${expression.length}.`);
  }
  const appended = splitPatterns(pattern);
  const parts: ContentPart[] = [];
  for (const text of expression.split(',').map((part) => part.trim())) {
    if (text === '') continue;
    const slash = text.indexOf('/');
    const name = (slash === -1 ? text : text.slice(0, slash)).trim();
    const patterns = [...(slash === -1 ? [] : splitPatterns(text.slice(slash + 1))), ...appended];
    if (name === '') return refused(`"${text.slice(0, 100)}" names no category before the slash.`);
    const outside = patterns.find(leavesTheFolder);
    if (outside !== undefined) {
      return refused(
        `The pattern "${outside.slice(0, 100)}" leads out of the category. Patterns are relative to its directory, without "..".`,
      );
    }
    parts.push({ name, patterns });
  }
  if (parts.length === 0) return refused('The expression is empty. Name a category, such as "guidelines".');
  return Result.ok(parts);
}

function splitPatterns(text: string): readonly string[] {
  return text
    .split('+')
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '');
}

function leavesTheFolder(pattern: string): boolean {
  const plain = pattern.replaceAll('\\', '');
  return (
    plain.startsWith('/') ||
    plain.includes('\0') ||
    plain.split('/').some((name) => /^[{,]*\.\.[},]*$/.test(name))
  );
}

function refused(message: string) {
  return Result.failure(message, 'InvalidExpression');
}
