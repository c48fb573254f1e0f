import type { Redactor } from '../../application/ports/audit/redactor.js';
import type { JsonValue } from '../../domain/json-value.js';
import { redactionPlaceholder } from '../../domain/redaction/redaction-placeholder.js';
import { isSecretKeyName } from '../../domain/redaction/secret-key-name.js';
import {
  ALL_SHAPES,
  redactSecrets,
  SECRET_KINDS,
  type ShapeKind,
} from '../../domain/redaction/secret-shapes.js';
import { Result } from '../../domain/result.js';

export interface RedactionPattern {
  readonly name: string;
  readonly regex: string;
  /** Shown in logs; results always get the placeholder that the write tools refuse. */
  readonly replace?: string;
}

export interface RedactionOptions {
  readonly purpose: 'log' | 'result';
  /** Names of built-in shapes; all of them where absent. */
  readonly builtin?: readonly string[];
  readonly patterns?: readonly RedactionPattern[];
}

type Replace = (text: string) => string;

const MAX_DEPTH = 100;

/** What logs use before a policy is in force, and when it names no patterns. */
export const builtinRedactor: Redactor = redactorOf((text) => redactSecrets(text));

/** Fails with every problem at once, one a line. re2js is loaded only where the policy has patterns. */
export async function createRedactor(options: RedactionOptions): Promise<Result<Redactor>> {
  const problems: string[] = [];
  const shapes = chooseShapes(options, problems);
  const custom = await compilePatterns(options, problems);
  if (problems.length > 0) return Result.failure(problems.join('\n'), 'InvalidRedaction');
  const steps: readonly Replace[] = [(text) => redactSecrets(text, shapes), ...custom];
  return Result.ok(redactorOf((text) => steps.reduce((clean, step) => step(clean), text)));
}

function chooseShapes({ purpose, builtin }: RedactionOptions, problems: string[]): readonly ShapeKind[] {
  const kinds: readonly string[] = SECRET_KINDS;
  for (const name of builtin ?? []) {
    if (!kinds.includes(name)) {
      problems.push(
        `redaction.builtin: expected one of ${SECRET_KINDS.join(', ')}; got ${JSON.stringify(name)}`,
      );
    }
  }
  return ALL_SHAPES.filter((kind) =>
    kind === 'assignment' ? purpose === 'log' : builtin === undefined || builtin.includes(kind),
  );
}

async function compilePatterns(
  { purpose, patterns = [] }: RedactionOptions,
  problems: string[],
): Promise<readonly Replace[]> {
  if (patterns.length === 0) return [];
  const { RE2JS } = await import('re2js');
  return patterns.flatMap(({ name, regex, replace }): Replace[] => {
    try {
      const pattern = RE2JS.compile(regex);
      if (pattern.matches('') || pattern.matcher('').find()) {
        problems.push(
          `redaction.patterns ${name}: the expression also matches an empty text; make it longer`,
        );
        return [];
      }
      const shown = purpose === 'log' && replace !== undefined ? replace : redactionPlaceholder(name);
      // Quoted, because $1 in a replacement would bring back what was matched.
      const quoted = RE2JS.quoteReplacement(shown);
      return [(text) => pattern.matcher(text).replaceAll(quoted)];
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      problems.push(
        `redaction.patterns ${name}: expected a linear-time expression without backreference or ` +
          `look-around; got ${JSON.stringify(regex)} (${why})`,
      );
      return [];
    }
  });
}

function redactorOf(text: Replace): Redactor {
  return { text, value: (value) => redactValue(value, text, 0) };
}

function redactValue(value: unknown, text: Replace, depth: number): JsonValue {
  switch (typeof value) {
    case 'string':
      return text(value);
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'boolean':
      return value;
    case 'object':
      return value === null ? null : redactMembers(value, text, depth);
    default:
      return `[${typeof value}]`;
  }
}

function redactMembers(value: object, text: Replace, depth: number): JsonValue {
  if (depth >= MAX_DEPTH) return '[too deep]';
  if (Array.isArray(value)) return value.map((item) => redactValue(item, text, depth + 1));
  const entries: [string, unknown][] = Object.entries(value);
  const clean = entries.map(([key, member]): [string, JsonValue] => {
    const secret =
      isSecretKeyName(key) && (typeof member === 'object' ? member !== null : typeof member !== 'boolean');
    return [text(key), secret ? redactionPlaceholder('name') : redactValue(member, text, depth + 1)];
  });
  return Object.fromEntries(clean);
}
