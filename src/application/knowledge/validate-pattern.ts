import { inject, injectable } from 'inversify';
import { documentId } from '../../domain/knowledge/document/document-name.js';
import {
  coversLanguage,
  detectLanguage,
  normaliseLanguage,
} from '../../domain/knowledge/pattern/code-language.js';
import { type ChecklistItem, checklistOf } from '../../domain/knowledge/pattern/pattern-checklist.js';
import { guessViolations } from '../../domain/knowledge/pattern/pattern-heuristics.js';
import type { PatternRule, RuleProblem } from '../../domain/knowledge/pattern/pattern-rule.js';
import type { RuleHit } from '../../domain/knowledge/pattern/rule-hit.js';
import { nearestNames } from '../../domain/nearest-names.js';
import { Result } from '../../domain/result.js';
import { callCancelled, executionFailed, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import { DocumentLibrary, type LibraryDocument } from '../ports/knowledge/document-library.js';
import { RuleChecker } from '../ports/knowledge/rule-checker.js';
import { CheckedRules, isProved } from './checked-rules.js';
import { FindDocument } from './find-document.js';
import { KnowledgeSettings } from './knowledge-settings.js';

export interface ValidatePatternQuery {
  readonly code: string;
  readonly pattern_name: string;
  readonly language?: string;
}

export interface Violation {
  readonly rule: string;
  readonly description: string;
  readonly severity: 'error' | 'warning';
  readonly line: number;
  readonly column: number;
  readonly source: 'rule' | 'heuristic';
}

export interface ValidationReport {
  readonly compliant: boolean;
  readonly verdict: 'compliant' | 'violations' | 'undetermined';
  readonly pattern: string;
  readonly language?: string;
  readonly violations: readonly Violation[];
  readonly suggestions: readonly string[];
  readonly rules_checked: number;
  /** Rules that were checked and have no bad example that shows they work. */
  readonly rules_unproved: readonly string[];
  /** Rules that could not be checked against this code, and why. */
  readonly rules_disabled: readonly RuleProblem[];
  /** For a pattern without declared rules: its sentences, for the reader to compare with the code. */
  readonly checklist?: readonly ChecklistItem[];
}

const CHECK_YOURSELF =
  'This pattern declares no rules, so nothing has been decided. Hold the code against each line of `checklist`: say for each whether it is kept, with the place in the code, and tell the user what is not. No violation in the list is no approval.';

export interface PatternProblem extends RuleProblem {
  readonly path: string;
}

/** Checks code against the rules that a pattern declares; its prose is only ever a hint. */
@injectable()
export class ValidatePatternHandler {
  constructor(
    @inject(DocumentLibrary) private readonly library: DocumentLibrary,
    @inject(KnowledgeSettings) private readonly settings: KnowledgeSettings,
    @inject(CheckedRules) private readonly declared: CheckedRules,
    @inject(RuleChecker) private readonly checker: RuleChecker,
    @inject(FindDocument) private readonly find: FindDocument,
  ) {}

  async handle(
    query: ValidatePatternQuery,
    signal?: AbortSignal,
  ): Promise<Result<ValidationReport, ToolError>> {
    const pattern = await this.#find(query.pattern_name);
    if (!pattern.success) return pattern;
    const content = await this.library.read(pattern.value);
    if (!content.success) return toolFailure(executionFailed(content.error.message));
    const language =
      query.language === undefined ? detectLanguage(query.code) : normaliseLanguage(query.language);
    const { rules, problems, stale } = await this.declared.of(pattern.value, content.value, signal);
    if (signal?.aborted) return toolFailure(callCancelled());
    const disabled = [...problems];
    const violations: Violation[] = [];
    const broken: PatternRule[] = [];
    const unproved: string[] = [];
    let checked = 0;
    for (const rule of rules) {
      if (rule.languages.length > 0 && language !== undefined && !coversLanguage(rule.languages, language))
        continue;
      if (signal?.aborted) return toolFailure(callCancelled());
      const hits = await this.#check(rule, query.code, language, signal);
      if (!hits.success) {
        disabled.push({ rule: rule.id, reason: hits.error });
        continue;
      }
      checked += 1;
      if (hits.value.length === 0 && !isProved(rule, language)) unproved.push(rule.id);
      if (hits.value.length > 0) broken.push(rule);
      violations.push(...violationsOf(rule, hits.value));
    }
    const isProse = rules.length + problems.length === 0;
    if (isProse) violations.push(...guesses(content.value.text, query.code));
    const checklist = isProse ? checklistOf(content.value.text) : [];
    const verdict = verdictOf(broken.length, checked, disabled.length + unproved.length);
    return asked({
      compliant: verdict === 'compliant',
      verdict,
      pattern: content.value.title,
      ...(language !== undefined && { language }),
      violations,
      suggestions: [...suggestionsFor(verdict, broken, disabled, unproved), ...staleness(stale)],
      rules_checked: checked,
      rules_unproved: unproved,
      rules_disabled: disabled,
      ...(checklist.length > 0 && { checklist }),
    });
  }

  /** Problems of the rules of all patterns: invalid declarations, or failed examples. */
  async lint(): Promise<readonly PatternProblem[]> {
    const problems: PatternProblem[] = [];
    for (const document of await this.#patterns()) {
      const content = await this.library.read(document);
      if (!content.success) continue;
      const { problems: found } = await this.declared.of(document, content.value);
      problems.push(...found.map((problem) => ({ path: document.shownPath, ...problem })));
    }
    return problems;
  }

  async #patterns(): Promise<readonly LibraryDocument[]> {
    const kinds = this.settings.categories.filter(({ kind }) => kind === 'patterns');
    const lists = await Promise.all(kinds.map((category) => this.library.list(category)));
    return lists.flatMap((list) => (list.success ? list.value : []));
  }

  #check(rule: PatternRule, code: string, language: string | undefined, signal?: AbortSignal) {
    if (rule.languages.length > 0 && language === undefined) {
      const why = `It is for ${rule.languages.join(', ')}, and what the code is written in cannot be told. Give the language.`;
      return Promise.resolve(Result.failure(why, 'UnknownLanguage'));
    }
    return this.checker.check(rule, code, language, signal);
  }

  /** By name, file or title, in any spelling. */
  async #find(wanted: string): Promise<Result<LibraryDocument, ToolError>> {
    const names = new Map<string, LibraryDocument>();
    const shown: string[] = [];
    for (const document of await this.#patterns()) {
      const id = documentId(document.category, document.path);
      const content = await this.library.read(document);
      shown.push(id);
      for (const name of [id, id.split('/').at(-1) ?? id, content.success ? content.value.title : id]) {
        if (!names.has(plainName(name))) names.set(plainName(name), document);
      }
    }
    const named = await this.find.handle(wanted);
    if (named?.success && named.value.document.category.kind === 'patterns')
      return Result.ok(named.value.document);
    const plain = plainName(wanted);
    const found =
      names.get(plain) ?? names.get(plain.replace(/pattern$/, '')) ?? names.get(`${plain}pattern`);
    if (found !== undefined) return Result.ok(found);
    const near = nearestNames(wanted, shown);
    const hint =
      near.length > 0
        ? `Did you mean ${near.join(' or ')}?`
        : `There are: ${shown.slice(0, 20).join(', ') || 'none'}.`;
    return toolFailure(
      executionFailed(`There is no pattern "${wanted.slice(0, 100)}". ${hint}`, { type: 'NotFoundError' }),
    );
  }
}

/** With a checklist, the reader is told to go through it. */
function asked(report: ValidationReport): Result<ValidationReport, ToolError> {
  return Result.ok(report, report.checklist === undefined ? undefined : { instruction: CHECK_YOURSELF });
}

function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/\.md$/, '')
    .replace(/[^\p{L}\p{N}/]/gu, '');
}

function violationsOf(
  { id, message, severity }: PatternRule,
  hits: readonly RuleHit[],
): readonly Violation[] {
  return hits.map((hit) => ({ rule: id, description: message, severity, ...hit, source: 'rule' }));
}

function guesses(pattern: string, code: string): readonly Violation[] {
  return guessViolations(pattern, code).map((guess) => ({
    ...guess,
    severity: 'warning',
    source: 'heuristic',
  }));
}

/** Compliant only if every declared rule was checked and shown to work. */
function verdictOf(broken: number, checked: number, doubtful: number): ValidationReport['verdict'] {
  if (broken > 0) return 'violations';
  return checked > 0 && doubtful === 0 ? 'compliant' : 'undetermined';
}

function staleness(stale: string | undefined): readonly string[] {
  if (stale === undefined) return [];
  return [`Repair the pattern: its file is wrong now (${stale}), so the last good rules were used.`];
}

function suggestionsFor(
  verdict: ValidationReport['verdict'],
  broken: readonly PatternRule[],
  disabled: readonly RuleProblem[],
  unproved: readonly string[],
): readonly string[] {
  const fixes = [...new Set(broken.map(({ fix, message }) => fix ?? message))];
  const repairs = disabled.map(({ rule, reason }) => `Repair the rule ${rule}: ${reason}`);
  const proofs = unproved.map(
    (id) => `Give the rule ${id} a bad example: nothing shows yet that it finds anything.`,
  );
  if (fixes.length + repairs.length + proofs.length > 0) return [...fixes, ...repairs, ...proofs];
  if (verdict !== 'undetermined') return [];
  return [
    'No declared rule applies to this code, so nothing can be said for sure. Declare rules in the front matter of the pattern, and read it yourself.',
  ];
}
