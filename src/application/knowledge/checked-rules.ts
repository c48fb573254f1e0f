import { inject, injectable } from 'inversify';
import { detectLanguage, normaliseLanguage } from '../../domain/knowledge/code-language.js';
import {
  type DeclaredRules,
  type PatternRule,
  parsePatternRules,
} from '../../domain/knowledge/pattern-rule.js';
import type { DocumentContent, LibraryDocument } from '../ports/document-library.js';
import { RuleChecker } from '../ports/rule-checker.js';

/** The rules of patterns that hold what they promise: each has passed its own examples. */
@injectable()
export class CheckedRules {
  readonly #lastGood = new Map<string, Promise<DeclaredRules>>();
  readonly #known = new WeakMap<DocumentContent, Promise<DeclaredRules>>();

  constructor(@inject(RuleChecker) private readonly checker: RuleChecker) {}

  /** An edit that breaks the declarations leaves the last good rules in force. */
  of(document: LibraryDocument, content: DocumentContent): Promise<DeclaredRules> {
    const known = this.#known.get(content) ?? this.#read(document.shownPath, content);
    this.#known.set(content, known);
    return known;
  }

  async #read(path: string, { frontMatter, frontMatterProblem }: DocumentContent): Promise<DeclaredRules> {
    const declared = parsePatternRules(frontMatter.rules);
    const [wrong] = declared.problems;
    const why = frontMatterProblem ?? (wrong && `${wrong.rule}: ${wrong.reason}`);
    const good = this.#lastGood.get(path);
    if (why !== undefined) {
      if (good !== undefined) return { ...(await good), stale: why };
      const stale = frontMatterProblem !== undefined && declared.rules.length > 0 ? { stale: why } : {};
      return { ...(await this.#test(declared)), ...stale };
    }
    const tested = this.#test(declared);
    if (declared.rules.length > 0) this.#lastGood.set(path, tested);
    else this.#lastGood.delete(path);
    return tested;
  }

  async #test({ rules, problems }: DeclaredRules): Promise<DeclaredRules> {
    const kept: PatternRule[] = [];
    const found = [...problems];
    for (const rule of rules) {
      const reason = await this.#failureOf(rule);
      if (reason === undefined) kept.push(rule);
      else found.push({ rule: rule.id, reason });
    }
    return { rules: kept, problems: found };
  }

  async #failureOf(rule: PatternRule): Promise<string | undefined> {
    const examples = [
      ...rule.good.map((code) => ({ code, breaks: false })),
      ...rule.bad.map((code) => ({ code, breaks: true })),
    ];
    // Without examples the rule is at least tried on something.
    if (examples.length === 0) examples.push({ code: '\n', breaks: false });
    for (const { code, breaks } of examples) {
      const language = languageOf(rule, code);
      const hits = await this.checker.check(rule, code, language);
      if (!hits.success) return hits.error;
      if (rule.good.length + rule.bad.length > 0 && hits.value.length > 0 !== breaks) {
        const said = code.trim().split('\n', 1)[0]?.slice(0, 60);
        return breaks
          ? `It does not find what its bad example "${said}" shows.`
          : `It finds something in its good example "${said}".`;
      }
    }
    return undefined;
  }
}

function languageOf({ languages, check }: PatternRule, code: string): string | undefined {
  const [only] = languages;
  if (languages.length === 1 && only !== undefined) return normaliseLanguage(only);
  const fallback = only ?? (check.kind === 'ast_grep' ? 'typescript' : undefined);
  return detectLanguage(code) ?? (fallback === undefined ? undefined : normaliseLanguage(fallback));
}
