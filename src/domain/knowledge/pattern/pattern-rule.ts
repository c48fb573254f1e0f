import { isJsonObject } from '../../json-value.js';
import { Result } from '../../result.js';

export type RuleCheck =
  | { readonly kind: 'regex'; readonly expression: string }
  | { readonly kind: 'ast_grep'; readonly rule: string | Readonly<Record<string, unknown>> }
  | { readonly kind: 'require_imports'; readonly modules: readonly string[] }
  | { readonly kind: 'forbid_imports'; readonly modules: readonly string[] }
  | { readonly kind: 'max_lines'; readonly lines: number };

/** A rule that a pattern declares in its front matter. */
export interface PatternRule {
  readonly id: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly fix?: string;
  readonly languages: readonly string[];
  readonly check: RuleCheck;
  readonly good: readonly string[];
  readonly bad: readonly string[];
}

/** Rules about names or numbers are self-evident; an expression needs an example that shows what it finds. */
export function needsProof({ check }: PatternRule): boolean {
  return check.kind === 'regex' || check.kind === 'ast_grep';
}

export interface RuleProblem {
  readonly rule: string;
  readonly reason: string;
}

export interface DeclaredRules {
  readonly rules: readonly PatternRule[];
  readonly problems: readonly RuleProblem[];
  /** Why the rules come from the last valid version of the file. */
  readonly stale?: string;
}

const MAX_RULES = 100;
const KEYS = ['id', 'severity', 'message', 'fix', 'languages', 'examples'];
const CHECKS = ['regex', 'ast_grep', 'require_imports', 'forbid_imports', 'max_lines'];

/** Parses the rules of a pattern. An invalid rule is reported, and the others still apply. */
export function parsePatternRules(declared: unknown): DeclaredRules {
  if (declared === undefined) return { rules: [], problems: [] };
  if (!Array.isArray(declared)) {
    return { rules: [], problems: [{ rule: 'rules', reason: 'rules must be a list of rules.' }] };
  }
  const rules: PatternRule[] = [];
  const problems: RuleProblem[] = [];
  for (const [index, entry] of declared.slice(0, MAX_RULES).entries()) {
    const parsed = parseRule(entry);
    const name = isJsonObject(entry) && typeof entry.id === 'string' ? entry.id : `rules[${index}]`;
    if (!parsed.success) problems.push({ rule: name, reason: parsed.error });
    else if (rules.some(({ id }) => id === parsed.value.id)) {
      problems.push({ rule: name, reason: 'Another rule has this id already.' });
    } else rules.push(parsed.value);
  }
  if (declared.length > MAX_RULES) {
    problems.push({ rule: 'rules', reason: `A pattern has at most ${MAX_RULES} rules.` });
  }
  return { rules, problems };
}

function parseRule(entry: unknown): Result<PatternRule> {
  if (!isJsonObject(entry)) return wrong('a rule is a map with id, severity, message and one check');
  const { id, severity = 'error', message, fix, languages, examples } = entry;
  if (typeof id !== 'string' || id === '') return wrong('id must be a string');
  if (typeof message !== 'string' || message === '') return wrong('message must be a string');
  if (severity !== 'error' && severity !== 'warning') return wrong('severity must be error or warning');
  if (fix !== undefined && typeof fix !== 'string') return wrong('fix must be a string');
  const unknown = Object.keys(entry).find((key) => !KEYS.includes(key) && !CHECKS.includes(key));
  if (unknown !== undefined) return wrong(`there is no key ${unknown}`);
  const check = parseCheck(entry);
  if (!check.success) return check;
  const { good, bad } = isJsonObject(examples) ? examples : {};
  return Result.ok({
    id,
    severity,
    message,
    ...(fix !== undefined && { fix }),
    languages: texts(languages),
    check: check.value,
    good: texts(good),
    bad: texts(bad),
  });
}

function parseCheck(entry: Readonly<Record<string, unknown>>): Result<RuleCheck> {
  const given = CHECKS.filter((key) => entry[key] !== undefined);
  if (given.length !== 1) return wrong(`a rule has exactly one of ${CHECKS.join(', ')}`);
  const { regex, ast_grep, require_imports, forbid_imports, max_lines } = entry;
  if (typeof regex === 'string' && regex !== '') return Result.ok({ kind: 'regex', expression: regex });
  if (typeof ast_grep === 'string' || isJsonObject(ast_grep))
    return Result.ok({ kind: 'ast_grep', rule: ast_grep });
  if (texts(require_imports).length > 0) {
    return Result.ok({ kind: 'require_imports', modules: texts(require_imports) });
  }
  if (texts(forbid_imports).length > 0) {
    return Result.ok({ kind: 'forbid_imports', modules: texts(forbid_imports) });
  }
  if (typeof max_lines === 'number' && Number.isSafeInteger(max_lines) && max_lines > 0) {
    return Result.ok({ kind: 'max_lines', lines: max_lines });
  }
  return wrong(`${given[0]} has a value that it cannot have`);
}

function texts(value: unknown): readonly string[] {
  return [value].flat().filter((item): item is string => typeof item === 'string' && item !== '');
}

function wrong(why: string) {
  return Result.failure(`The rule is declared wrongly: ${why}.`, 'InvalidRule');
}
