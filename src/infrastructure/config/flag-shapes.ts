import { parseFlagName } from '../../domain/flag/flag.js';
import type { DocumentSwitch } from '../../domain/knowledge/document/category.js';
import { patternProblem } from '../../domain/permission/path/path-pattern.js';
import { anyValue } from './any-value-shape.js';
import { byKind, mapOf, mapped, type Shape, text } from './yaml-shape.js';
import type { YamlTree } from './yaml-tree.js';

export const flagName: Shape<string> = mapped(text, (name, at, reading) => {
  const parsed = parseFlagName(name);
  return parsed.success ? name : reading.report(at, parsed.error);
});

const byPattern: Shape<readonly DocumentSwitch[]> = mapped(
  mapOf(flagName, 'a map of patterns to flags'),
  (flags, at, reading) => {
    for (const pattern of Object.keys(flags)) {
      const problem = patternProblem(pattern);
      if (problem !== undefined) return reading.report(at, `Bad pattern: ${problem}`);
    }
    return Object.entries(flags).map(([pattern, flag]) => ({ pattern, flag }));
  },
);

/** A flag for all documents of a category, or flags for those that match patterns. */
export const documentSwitches: Shape<readonly DocumentSwitch[]> = byKind(
  'a flag, or a map of patterns to flags',
  {
    scalar: mapped(flagName, (flag) => [{ pattern: '**', flag }]),
    map: byPattern,
  },
);

const EXPRESSIONS: ReadonlySet<string> = new Set(['pattern', 'patternProperties']);

/** Expressions of JSON Schema run on an engine that a few characters can keep busy for minutes. */
function findExpression(tree: YamlTree): YamlTree['at'] | undefined {
  if (tree.kind === 'scalar') return undefined;
  const parts = tree.kind === 'list' ? tree.items : tree.entries.map(({ value }) => value);
  const own = tree.kind === 'map' ? tree.entries.find(({ key }) => EXPRESSIONS.has(key)) : undefined;
  return own?.at ?? parts.map(findExpression).find((at) => at !== undefined);
}

const schemas = mapOf(mapOf(anyValue, 'a JSON Schema'), 'a map of flags to JSON Schemas');

/** What flags may hold, by name. */
export const flagSchemas: Shape<Readonly<Record<string, object>>> = {
  ...schemas,
  read: (tree, reading) => {
    const found = findExpression(tree);
    if (found === undefined) return schemas.read(tree, reading);
    return reading.report(found, 'A flag is not held to an expression.', 'Use enum, minLength or maxLength.');
  },
};
