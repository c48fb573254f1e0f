import type { RuleChecker } from '../../application/ports/knowledge/rule-checker.js';
import { isJsonObject } from '../../domain/json-value.js';
import { type CodeImport, importMatches, importsIn } from '../../domain/knowledge/pattern/code-imports.js';
import type { PatternRule } from '../../domain/knowledge/pattern/pattern-rule.js';
import type { RuleHit } from '../../domain/knowledge/pattern/rule-hit.js';
import { Result } from '../../domain/result.js';
import { findExpression, type SyntaxRule } from '../calculation/calculation-task.js';
import { type Calculations, calculations } from '../calculation/calculations.js';

/** Instructions of an expression times characters: a tenth of a second for the slowest expressions. */
const MAX_STEPS_HERE = 3_000_000;
const GRAMMARS: Readonly<Record<string, string>> = {
  typescript: 'Tsx',
  javascript: 'JavaScript',
  html: 'Html',
  css: 'Css',
  python: 'python',
  go: 'go',
  java: 'java',
};

/**
 * Checks regular expressions with RE2 and syntax with ast-grep. What may take long runs in a process that can
 * be killed.
 */
export class CodeRuleChecker implements RuleChecker {
  constructor(private readonly apart: Calculations = calculations) {}

  async check(
    { check }: PatternRule,
    code: string,
    language: string | undefined,
    signal?: AbortSignal,
  ): Promise<Result<readonly RuleHit[]>> {
    switch (check.kind) {
      case 'regex':
        return this.#matchExpression(check.expression, code, signal);
      case 'ast_grep':
        return this.#matchSyntax(check.rule, code, language, signal);
      case 'require_imports': {
        const imports = await this.#imports(code, language, signal);
        if (!imports.success) return imports;
        const missing = check.modules.filter(
          (wanted) => !imports.value.some(({ module }) => importMatches(wanted, module)),
        );
        return Result.ok(missing.map(() => ({ line: 1, column: 1 })));
      }
      case 'forbid_imports': {
        const imports = await this.#imports(code, language, signal);
        if (!imports.success) return imports;
        const forbidden = imports.value.filter(({ module }) =>
          check.modules.some((wanted) => importMatches(wanted, module)),
        );
        return Result.ok(forbidden.map(({ line, column }) => ({ line, column })));
      }
      case 'max_lines': {
        const lines = code.replace(/\n$/, '').split('\n').length;
        return Result.ok(lines > check.lines ? [{ line: check.lines + 1, column: 1 }] : []);
      }
    }
  }

  /** From the syntax tree if the grammar is known: an import in a comment or a string does not count. */
  async #imports(
    code: string,
    language: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Result<readonly CodeImport[]>> {
    const grammar = grammarOf(language);
    if (grammar === undefined || language === 'html' || language === 'css') {
      return Result.ok(importsIn(code, language));
    }
    const found = await this.apart.run({ kind: 'imports', grammar, code }, areImports, signal);
    return found.success ? found : refused(`The imports of this code were not read: ${found.error}.`);
  }

  async #matchSyntax(
    rule: SyntaxRule,
    code: string,
    language: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Result<readonly RuleHit[]>> {
    const grammar = grammarOf(language);
    if (grammar === undefined) {
      const known = Object.keys(GRAMMARS).join(', ');
      return refused(
        `The syntax of ${language ?? 'an unknown language'} is not known here; known are ${known}.`,
      );
    }
    const hits = await this.apart.run({ kind: 'syntax', grammar, rule, code }, areHits, signal);
    if (hits.success) return hits;
    return refused(
      hits.errorType === 'Refused'
        ? `ast-grep refuses the rule: ${hits.error}`
        : `The rule was not held against this code: ${hits.error}.`,
    );
  }

  async #matchExpression(
    source: string,
    code: string,
    signal: AbortSignal | undefined,
  ): Promise<Result<readonly RuleHit[]>> {
    const { RE2JS } = await import('re2js');
    try {
      const size = RE2JS.compile(source, RE2JS.MULTILINE).programSize();
      if (size * code.length <= MAX_STEPS_HERE) return Result.ok(await findExpression(source, code));
    } catch (error) {
      return refused(
        `The expression is not accepted: ${reasonOf(error)}. Look-around and back-references are not linear.`,
      );
    }
    const hits = await this.apart.run({ kind: 'expression', source, code }, areHits, signal);
    return hits.success ? hits : refused(`The expression was not held against this code: ${hits.error}.`);
  }
}

function grammarOf(language: string | undefined): string | undefined {
  return language === undefined || !Object.hasOwn(GRAMMARS, language) ? undefined : GRAMMARS[language];
}

function areImports(value: unknown): value is readonly CodeImport[] {
  return areHits(value) && value.every((each) => typeof Reflect.get(each, 'module') === 'string');
}

function areHits(value: unknown): value is readonly RuleHit[] {
  return (
    Array.isArray(value) &&
    value.every((hit) => isJsonObject(hit) && Number.isInteger(hit.line) && Number.isInteger(hit.column))
  );
}

function refused(why: string) {
  return Result.failure(why, 'InvalidRule');
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
