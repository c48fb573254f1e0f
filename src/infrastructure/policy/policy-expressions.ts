import type { FileProblem } from '../../domain/file-problem.js';
import type { Expressions } from './policy-compilation.js';
import type { Named, PolicyDocument } from './policy-document.js';

/** Compiles every expression of a policy with an engine of linear time. The engine loads only where there is one. */
export async function compileExpressions(
  document: PolicyDocument,
  problems: FileProblem[],
): Promise<Expressions> {
  const sources = expressionsOf(document);
  if (sources.length === 0) return new Map();
  const { RE2JS } = await import('re2js');
  const compiled = new Map<string, { source: string; test(text: string): boolean }>();
  for (const { name: source, at } of sources) {
    try {
      const expression = RE2JS.compile(source);
      compiled.set(source, { source, test: (text) => expression.matcher(text).find() });
    } catch (error) {
      const { file, line, column } = at;
      const message = `The expression ${JSON.stringify(source)} is not accepted: ${reasonOf(error)}.`;
      problems.push({ file, line, column, message, hint: 'Look-around and back-references are not linear.' });
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
