import { compilePattern, type PathPattern } from '../permission/path/path-pattern.js';

interface IgnoreRule {
  readonly pattern: PathPattern;
  readonly negated: boolean;
  readonly foldersOnly: boolean;
}

/** The rules of one .gitignore, about paths relative to the folder it lies in. */
export class IgnoreRules {
  private constructor(private readonly rules: readonly IgnoreRule[]) {}

  /** Lines that are no pattern are passed over, as git does. */
  static parse(text: string): IgnoreRules {
    const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
    return new IgnoreRules(lines.flatMap((line) => parseLine(line) ?? []));
  }

  /** The last rule that matches decides; undefined where none does and the folder above has the word. */
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
  // A slash before the end ties the pattern to this folder; `x/**` means what is in x and not x itself.
  const anchored = text.includes('/');
  const body = text.replace(/^\//, '').replace(/\/\*\*$/, '/**/*');
  const compiled = compilePattern(anchored ? `./${body}` : body, { braces: false });
  return compiled.success ? { pattern: compiled.value, negated, foldersOnly } : undefined;
}
