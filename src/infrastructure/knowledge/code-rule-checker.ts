import type { NapiConfig, SgRoot } from '@ast-grep/napi';
import type { RuleChecker } from '../../application/ports/rule-checker.js';
import { importMatches, importsIn } from '../../domain/knowledge/code-imports.js';
import { placeOf } from '../../domain/knowledge/pattern-heuristics.js';
import type { PatternRule } from '../../domain/knowledge/pattern-rule.js';
import type { RuleHit } from '../../domain/knowledge/rule-hit.js';
import { Result } from '../../domain/result.js';

const MAX_HITS = 50;
const GRAMMARS: Readonly<Record<string, string>> = {
  typescript: 'Tsx',
  javascript: 'JavaScript',
  html: 'Html',
  css: 'Css',
  python: 'python',
  go: 'go',
  java: 'java',
};

type AstGrep = typeof import('@ast-grep/napi');

/** Regular expressions by RE2, syntax by ast-grep; each is loaded for the first rule that needs it. */
export class CodeRuleChecker implements RuleChecker {
  #astGrep: Promise<AstGrep> | undefined;

  async check(
    { check }: PatternRule,
    code: string,
    language: string | undefined,
  ): Promise<Result<readonly RuleHit[]>> {
    switch (check.kind) {
      case 'regex':
        return matchExpression(check.expression, code);
      case 'ast_grep':
        return this.#matchSyntax(check.rule, code, language);
      case 'require_imports': {
        const imports = importsIn(code, language);
        const missing = check.modules.filter(
          (wanted) => !imports.some(({ module }) => importMatches(wanted, module)),
        );
        return Result.ok(missing.map(() => ({ line: 1, column: 1 })));
      }
      case 'forbid_imports':
        return Result.ok(
          importsIn(code, language)
            .filter(({ module }) => check.modules.some((wanted) => importMatches(wanted, module)))
            .map(({ line, column }) => ({ line, column })),
        );
      case 'max_lines': {
        const lines = code.replace(/\n$/, '').split('\n').length;
        return Result.ok(lines > check.lines ? [{ line: check.lines + 1, column: 1 }] : []);
      }
    }
  }

  async #matchSyntax(
    rule: string | Readonly<Record<string, unknown>>,
    code: string,
    language: string | undefined,
  ): Promise<Result<readonly RuleHit[]>> {
    const grammar =
      language === undefined || !Object.hasOwn(GRAMMARS, language) ? undefined : GRAMMARS[language];
    if (grammar === undefined) {
      const known = Object.keys(GRAMMARS).join(', ');
      return refused(
        `The syntax of ${language ?? 'an unknown language'} is not known here; known are ${known}.`,
      );
    }
    try {
      this.#astGrep ??= loadAstGrep();
      const { parse } = await this.#astGrep;
      const root: SgRoot = parse(grammar, code);
      const config: NapiConfig = { rule: typeof rule === 'string' ? { pattern: rule } : rule };
      return Result.ok(
        root
          .root()
          .findAll(config)
          .slice(0, MAX_HITS)
          .map((node) => {
            const { line, column } = node.range().start;
            return { line: line + 1, column: column + 1 };
          }),
      );
    } catch (error) {
      return refused(`ast-grep refuses the rule: ${reasonOf(error)}`);
    }
  }
}

async function loadAstGrep(): Promise<AstGrep> {
  const [astGrep, python, go, java] = await Promise.all([
    import('@ast-grep/napi'),
    import('@ast-grep/lang-python'),
    import('@ast-grep/lang-go'),
    import('@ast-grep/lang-java'),
  ]);
  // Together and once: a second registration would replace the first.
  astGrep.registerDynamicLanguage({ python: python.default, go: go.default, java: java.default });
  return astGrep;
}

async function matchExpression(source: string, code: string): Promise<Result<readonly RuleHit[]>> {
  const { RE2JS } = await import('re2js');
  try {
    const matcher = RE2JS.compile(source, RE2JS.MULTILINE).matcher(code);
    const hits: RuleHit[] = [];
    while (hits.length < MAX_HITS && matcher.find()) hits.push(placeOf(code, matcher.start()));
    return Result.ok(hits);
  } catch (error) {
    return refused(
      `The expression is not accepted: ${reasonOf(error)}. Look-around and back-references are not linear.`,
    );
  }
}

function refused(why: string) {
  return Result.failure(why, 'InvalidRule');
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
