import { inject, injectable } from 'inversify';
import {
  coversLanguage,
  detectLanguage,
  normaliseLanguage,
} from '../../domain/knowledge/pattern/code-language.js';
import {
  type DeclaredRules,
  needsProof,
  type PatternRule,
  parsePatternRules,
} from '../../domain/knowledge/pattern/pattern-rule.js';
import { samplesOf } from '../../domain/knowledge/pattern/pattern-sample.js';
import type { DocumentContent, LibraryDocument } from '../ports/knowledge/document-library.js';
import { RuleChecker } from '../ports/knowledge/rule-checker.js';

const NO_RULES: DeclaredRules = { rules: [], problems: [] };

/** The call that tested the rules was cancelled. */
class Interrupted extends Error {}

/** The rules of patterns that passed their own examples. */
@injectable()
export class CheckedRules {
  readonly #lastGood = new Map<string, DeclaredRules>();
  readonly #known = new WeakMap<DocumentContent, Promise<DeclaredRules>>();

  constructor(@inject(RuleChecker) private readonly checker: RuleChecker) {}

  /** If an edit breaks the declarations, the last valid rules stay active. */
  async of(
    document: LibraryDocument,
    content: DocumentContent,
    signal?: AbortSignal,
  ): Promise<DeclaredRules> {
    for (;;) {
      const known = this.#known.get(content) ?? this.#read(document.shownPath, content, signal);
      this.#known.set(content, known);
      try {
        return await known;
      } catch (error) {
        if (!(error instanceof Interrupted)) throw error;
        // A test interrupted by a cancelled call proves nothing; another call runs it again.
        if (this.#known.get(content) === known) this.#known.delete(content);
        if (signal?.aborted) return NO_RULES;
      }
    }
  }

  async #read(
    path: string,
    { frontMatter, frontMatterProblem }: DocumentContent,
    signal: AbortSignal | undefined,
  ): Promise<DeclaredRules> {
    const declared = parsePatternRules(frontMatter.rules);
    const [wrong] = declared.problems;
    const why = frontMatterProblem ?? (wrong && `${wrong.rule}: ${wrong.reason}`);
    const good = this.#lastGood.get(path);
    if (why !== undefined) {
      if (good !== undefined) return { ...good, stale: why };
      const stale = frontMatterProblem !== undefined && declared.rules.length > 0 ? { stale: why } : {};
      return { ...(await this.#test(declared, signal)), ...stale };
    }
    const tested = await this.#test(declared, signal);
    if (declared.rules.length > 0) this.#lastGood.set(path, tested);
    else this.#lastGood.delete(path);
    return tested;
  }

  async #test({ rules, problems }: DeclaredRules, signal: AbortSignal | undefined): Promise<DeclaredRules> {
    const kept: PatternRule[] = [];
    const found = [...problems];
    for (const rule of rules) {
      const reason = await this.#failureOf(rule, signal);
      if (signal?.aborted) throw new Interrupted();
      if (reason === undefined) kept.push(rule);
      else found.push({ rule: rule.id, reason });
    }
    return { rules: kept, problems: found };
  }

  async #failureOf(rule: PatternRule, signal: AbortSignal | undefined): Promise<string | undefined> {
    const examples = [
      ...rule.good.map((code) => ({ code, breaks: false })),
      ...rule.bad.map((code) => ({ code, breaks: true })),
    ];
    // Without examples the rule is at least run once.
    if (examples.length === 0) examples.push({ code: '\n', breaks: false });
    for (const { code, breaks } of examples) {
      const language = languageOf(rule, code);
      const hits = await this.checker.check(rule, code, language, signal);
      if (!hits.success) return hits.error;
      if (rule.good.length + rule.bad.length > 0 && hits.value.length > 0 !== breaks) {
        const said = code.trim().split('\n', 1)[0]?.slice(0, 60);
        return breaks
          ? `It does not find what its bad example "${said}" shows.`
          : `It finds something in its good example "${said}".`;
      }
    }
    return this.#deafness(rule, signal);
  }

  /** Why a syntax pattern can never match: it does not even match itself. */
  async #deafness(rule: PatternRule, signal: AbortSignal | undefined): Promise<string | undefined> {
    const { check, languages } = rule;
    if (check.kind !== 'ast_grep') return undefined;
    const pattern = patternOf(check.rule);
    if (pattern === undefined) return undefined;
    for (const name of languages.length > 0 ? languages : ['typescript']) {
      const language = normaliseLanguage(name);
      if (rule.bad.some((code) => languageOf(rule, code) === language)) continue;
      let isFound = false;
      for (const sample of samplesOf(pattern, language)) {
        const hits = await this.checker.check(rule, sample, language, signal);
        if (!hits.success) return hits.error;
        isFound ||= hits.value.length > 0;
      }
      if (!isFound && !signal?.aborted) {
        return `It can never match in ${language}: it does not find its own pattern in a program. Give ast_grep an object {pattern: {context, selector}}, and a bad example.`;
      }
    }
    return undefined;
  }
}

/** A rule that is a single pattern; what a larger rule matches is shown only by an example. */
function patternOf(rule: string | Readonly<Record<string, unknown>>): string | undefined {
  if (typeof rule === 'string') return rule;
  return Object.keys(rule).length === 1 && typeof rule.pattern === 'string' ? rule.pattern : undefined;
}

/** Returns true if its bad examples show that the rule works, in this language. */
export function isProved(rule: PatternRule, language: string | undefined): boolean {
  if (!needsProof(rule)) return true;
  if (rule.check.kind === 'regex' || language === undefined) return rule.bad.length > 0;
  return rule.bad.some((code) => {
    const shown = languageOf(rule, code);
    return shown === undefined || shown === language || coversLanguage([shown], language);
  });
}

function languageOf({ languages, check }: PatternRule, code: string): string | undefined {
  const [only] = languages;
  if (languages.length === 1 && only !== undefined) return normaliseLanguage(only);
  const fallback = only ?? (check.kind === 'ast_grep' ? 'typescript' : undefined);
  return detectLanguage(code) ?? (fallback === undefined ? undefined : normaliseLanguage(fallback));
}
