import { Result } from '../../result.js';
import { expandBraces } from './brace-expansion.js';
import { compileSegment, type GlobSegment } from './glob-segment.js';

/** A compiled glob. Matching takes time proportional to path × pattern at most. */
export interface PathPattern {
  readonly source: string;
  /** True if the pattern has no slash, so that it is matched against names at any depth. */
  readonly namesOnly: boolean;
  matches(path: string): boolean;
  /**
   * Returns true if the path or a directory above it matches: a rule about a directory applies to everything
   * below.
   */
  covers(path: string): boolean;
}

export interface PatternOptions {
  /** For file systems on which `.ENV` opens `.env`. */
  readonly ignoreCase?: boolean;
  /** False: braces are ordinary characters, as in .gitignore. */
  readonly braces?: boolean;
}

type Part = GlobSegment | 'globstar';

const MAX_LENGTH = 4096;

/**
 * Compiles a pattern. `*`, `?` and `[...]` match within one name, `**` as a whole segment matches any number
 * of them, `{a,b}` means either, a backslash escapes the next character. Without a slash the pattern is
 * matched against names; with one, against the whole path. A trailing slash is ignored.
 */
export function compilePattern(source: string, options: PatternOptions = {}): Result<PathPattern> {
  const problem = problemOfText(source);
  if (problem !== undefined) return Result.failure(problem, 'InvalidPattern');
  const expanded = options.braces === false ? Result.ok([source]) : expandBraces(source);
  if (!expanded.success) return expanded;
  const fold = options.ignoreCase === true ? (text: string) => text.toLowerCase() : undefined;
  const alternatives = expanded.value.map((text) => new Alternative(fold ? fold(text) : text));
  const prepare = fold ?? ((path: string) => path);
  const [only] = alternatives;
  const single = alternatives.length === 1 ? only : undefined;
  return Result.ok({
    source,
    namesOnly: alternatives.every((alternative) => alternative.namesOnly),
    matches: single
      ? (path) => single.matches(prepare(path))
      : (path) => alternatives.some((alternative) => alternative.matches(prepare(path))),
    covers: (path) => alternatives.some((alternative) => alternative.covers(prepare(path))),
  });
}

/** Why a text is not a valid pattern: the answer of compilePattern without compiling. */
export function patternProblem(source: string): string | undefined {
  const problem = problemOfText(source);
  if (problem !== undefined || !source.includes('{')) return problem;
  const expanded = expandBraces(source);
  return expanded.success ? undefined : expanded.error;
}

function problemOfText(source: string): string | undefined {
  if (source === '') return 'A pattern must not be empty; use "*" to match every name.';
  if (source.length > MAX_LENGTH) {
    return `A pattern has at most ${MAX_LENGTH} characters; got ${source.length}.`;
  }
  if (source.includes('\0')) return 'A pattern must not contain a NUL character.';
  return undefined;
}

class Alternative {
  readonly namesOnly: boolean;
  readonly #name: GlobSegment;
  readonly #parts: readonly Part[];
  readonly #open: readonly Part[];
  /** The end that every matching path must have: rejects most paths without splitting them. */
  readonly #ending: string;

  constructor(source: string) {
    const trimmed = source.length > 1 ? source.replace(/(?<=[^\\])\/+$/, '') : source;
    this.namesOnly = !trimmed.includes('/');
    const text = trimmed.replace(/^(\.\/)+/, '');
    this.#parts = withoutRepeats(
      text.split('/').map((part) => (part === '**' ? 'globstar' : compileSegment(part))),
    );
    this.#open = [...this.#parts, 'globstar'];
    const last = this.#parts.at(-1);
    this.#name = this.namesOnly && last !== undefined && last !== 'globstar' ? last : compileSegment('*');
    this.#ending = last === undefined || last === 'globstar' ? '' : (last.literal ?? '');
  }

  matches(path: string): boolean {
    if (this.namesOnly) return this.#name.matches(nameOf(path));
    return path.endsWith(this.#ending) && matchParts(this.#parts, path.split('/'));
  }

  covers(path: string): boolean {
    const segments = path.split('/');
    if (this.namesOnly) return segments.some((segment) => segment !== '' && this.#name.matches(segment));
    return matchParts(this.#open, segments);
  }
}

function withoutRepeats(parts: readonly Part[]): readonly Part[] {
  return parts.filter((part, index) => part !== 'globstar' || parts[index - 1] !== 'globstar');
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function matchParts(parts: readonly Part[], segments: readonly string[]): boolean {
  let at = 0;
  let part = 0;
  let globstar = -1;
  let globstarAt = 0;
  while (at < segments.length) {
    const current = parts[part];
    if (current === 'globstar') {
      globstar = part;
      globstarAt = at;
      part += 1;
    } else if (current?.matches(segments[at] ?? '')) {
      part += 1;
      at += 1;
    } else if (globstar >= 0) {
      part = globstar + 1;
      globstarAt += 1;
      at = globstarAt;
    } else return false;
  }
  while (parts[part] === 'globstar') part += 1;
  return part === parts.length;
}
