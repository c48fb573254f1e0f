import type { FileProblem } from '../../../domain/file-problem.js';
import type { Named, PolicyDocument } from '../schema/policy-document.js';
import type { Expressions } from './policy-compilation.js';

/** Instructions times characters that one argument is tried with: about a second for the slowest expressions. */
const MAX_STEPS = 30_000_000;
/** Instructions of all expressions together in a policy that nobody trusts: each answer is searched with them. */
const MAX_FOREIGN_SIZE = 400;

/** Compiles every expression of a policy with an engine of linear time. The engine loads only where there is one. */
export async function compileExpressions(
  document: PolicyDocument,
  trusted: boolean,
  problems: FileProblem[],
): Promise<Expressions> {
  const sources = expressionsOf(document);
  if (sources.length === 0) return new Map();
  const { RE2JS } = await import('re2js');
  const compiled = new Map<string, { source: string; test(text: string): boolean }>();
  let total = 0;
  for (const { name: source, at } of sources) {
    const report = (message: string, hint: string) => {
      const { file, line, column } = at;
      problems.push({ file, line, column, message, hint });
    };
    try {
      const expression = RE2JS.compile(source);
      const size = expression.programSize();
      total += size;
      if (!trusted && total > MAX_FOREIGN_SIZE) {
        report('The expressions are larger than an untrusted policy may have.', 'Run `castellan trust`.');
        break;
      }
      // What is too long to be tried does not have the form that was asked for.
      const test = (text: string) => size * text.length <= MAX_STEPS && expression.test(text);
      compiled.set(source, { source, test });
    } catch (error) {
      report(
        `The expression ${JSON.stringify(source)} is not accepted: ${reasonOf(error)}.`,
        'Look-around and back-references are not linear.',
      );
    }
  }
  return compiled;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function expressionsOf(document: PolicyDocument): readonly Named[] {
  const constraints = Object.values(document.tools ?? {}).flatMap((tool) =>
    Object.values(tool.arguments ?? {}).flatMap((constraint) => constraint.pattern ?? []),
  );
  const patterns = (document.redaction?.patterns ?? []).map(({ regex, at }) => ({ name: regex, at }));
  return [...constraints, ...patterns];
}
