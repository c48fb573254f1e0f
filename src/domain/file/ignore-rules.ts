import { compilePattern, type PathPattern } from '../permission/path/path-pattern.js';

interface IgnoreRule {
  readonly pattern: PathPattern;
  readonly negated: boolean;
  readonly foldersOnly: boolean;
}

/** The rules of one .gitignore, for paths relative to its directory. */
export class IgnoreRules {
  private constructor(private readonly rules: readonly IgnoreRule[]) {}

  /** Lines that are not valid patterns are skipped, as in git. */
  static parse(text: string): IgnoreRules {
    const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
    return new IgnoreRules(lines.flatMap((line) => parseLine(line) ?? []));
  }

  /** The last matching rule decides; undefined if none matches and the parent directory decides. */
  ignores(path: string, isDirectory: boolean): boolean | undefined {
    for (let index = this.rules.length - 1; index >= 0; index -= 1) {
      const rule = this.rules[index];
      if (rule === undefined || (rule.foldersOnly && !isDirectory)) continue;
      if (rule.pattern.matches(path)) return !rule.negated;
    }
    return undefined;
  }
}

function parseLine(line: string): IgnoreRule | undefined {
  let text = line.replace(/(?<!\\)[ \t]+$/, '');
  if (text === '' || text.startsWith('#')) return undefined;
  const negated = text.startsWith('!');
  if (negated) text = text.slice(1);
  const foldersOnly = text.endsWith('/') && !text.endsWith('\\/');
  if (foldersOnly) text = text.replace(/\/+$/, '');
  // A slash before the end anchors the pattern to this directory; `x/**` means the content of x, not x
  // itself.
  const anchored = text.includes('/');
  const body = text.replace(/^\//, '').replace(/\/\*\*$/, '/**/*');
  const compiled = compilePattern(anchored ? `./${body}` : body, { braces: false });
  return compiled.success ? { pattern: compiled.value, negated, foldersOnly } : undefined;
}
