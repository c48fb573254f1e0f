import type { NapiConfig, SgRoot } from '@ast-grep/napi';
import type { CodeImport } from '../../domain/knowledge/pattern/code-imports.js';
import { placeOf } from '../../domain/knowledge/pattern/pattern-heuristics.js';
import type { RuleHit } from '../../domain/knowledge/pattern/rule-hit.js';
import { importsOf } from './syntax-imports.js';

/** Work whose time the input decides. Plain values: it travels to another process. */
export type CalculationTask =
  | { readonly kind: 'syntax'; readonly grammar: string; readonly rule: SyntaxRule; readonly code: string }
  | { readonly kind: 'imports'; readonly grammar: string; readonly code: string }
  | { readonly kind: 'expression'; readonly source: string; readonly code: string }
  | {
      readonly kind: 'first-match';
      readonly source: string;
      readonly ignoreCase: boolean;
      readonly text: string;
    };

export type SyntaxRule = string | Readonly<Record<string, unknown>>;

export interface CalculationValues {
  readonly syntax: readonly RuleHit[];
  readonly imports: readonly CodeImport[];
  readonly expression: readonly RuleHit[];
  /** The position; -1 where there is none. */
  readonly 'first-match': number;
}

const MAX_HITS = 50;

type AstGrep = typeof import('@ast-grep/napi');
let registered: ReadonlySet<string> = new Set();
let astGrep: Promise<AstGrep> | undefined;

/** Throws what the library throws where it refuses the rule or the expression. */
export async function calculate(task: CalculationTask): Promise<CalculationValues[CalculationTask['kind']]> {
  switch (task.kind) {
    case 'syntax':
      return findSyntax(task.grammar, task.rule, task.code);
    case 'imports': {
      astGrep ??= loadAstGrep();
      const { parse } = await astGrep;
      return importsOf(parse(task.grammar, task.code).root(), task.grammar) ?? [];
    }
    case 'expression':
      return findExpression(task.source, task.code);
    case 'first-match': {
      const { RE2JS } = await import('re2js');
      const matcher = RE2JS.compile(task.source, task.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0).matcher(
        task.text,
      );
      return matcher.find() ? matcher.start() : -1;
    }
  }
}

/** Every place of a text at which an expression fits, up to a number nobody reads beyond. */
export async function findExpression(source: string, code: string): Promise<readonly RuleHit[]> {
  const { RE2JS } = await import('re2js');
  const matcher = RE2JS.compile(source, RE2JS.MULTILINE).matcher(code);
  const hits: RuleHit[] = [];
  while (hits.length < MAX_HITS && matcher.find()) hits.push(placeOf(code, matcher.start()));
  return hits;
}

async function findSyntax(grammar: string, rule: SyntaxRule, code: string): Promise<readonly RuleHit[]> {
  astGrep ??= loadAstGrep();
  const { parse } = await astGrep;
  if (Object.hasOwn(LANGUAGES, grammar) && !registered.has(grammar))
    notInstalled(`@ast-grep/lang-${grammar}`);
  const root: SgRoot = parse(grammar, code);
  const config: NapiConfig = { rule: typeof rule === 'string' ? { pattern: rule } : rule };
  const found = root.root().findAll(config).slice(0, MAX_HITS);
  return found.map((node) => {
    const { line, column } = node.range().start;
    return { line: line + 1, column: column + 1 };
  });
}

/** Optional dependencies: a package manager may have left out those that do not fit the machine. */
const LANGUAGES = {
  python: () => import('@ast-grep/lang-python'),
  go: () => import('@ast-grep/lang-go'),
  java: () => import('@ast-grep/lang-java'),
} as const;

type Language = Awaited<ReturnType<(typeof LANGUAGES)[keyof typeof LANGUAGES]>>['default'];

async function loadAstGrep(): Promise<AstGrep> {
  const library = await import('@ast-grep/napi').catch(() => notInstalled('@ast-grep/napi'));
  const languages: Record<string, Language> = {};
  for (const [name, load] of Object.entries(LANGUAGES)) {
    // One that is missing is told of when somebody asks for it.
    const language = await load().catch(() => undefined);
    if (language !== undefined) languages[name] = language.default;
  }
  // Together and once: a second registration would replace the first.
  library.registerDynamicLanguage(languages);
  registered = new Set(Object.keys(languages));
  return library;
}

function notInstalled(name: string): never {
  throw new Error(
    `${name} is not installed: rules about syntax need it. Run: npm install ${name} where castellan is installed`,
  );
}
