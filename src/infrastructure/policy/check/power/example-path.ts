import { expandBraces } from '../../../../domain/permission/path/brace-expansion.js';
import { type PathRule, PathRules } from '../../../../domain/permission/path/path-rules.js';

/** A name that no rule means. */
const PROBE = 'qz7probe';

/**
 * Paths that the rule covers: of its own, and where it meets the others, because a place that is wider than a group, or
 * lies under a deny with a hole, is granted there alone.
 */
export function examplePaths(
  rule: PathRule,
  others: readonly PathRule[],
  workspace: string,
): readonly string[] {
  const compiled = PathRules.compile([rule]);
  if (!compiled.success) return [];
  const own = candidates(rule.pattern, workspace);
  const foreign = others.map(({ pattern }) => candidates(pattern, workspace));
  const meeting = foreign.flatMap((paths) => [
    ...paths,
    ...paths.flatMap((path) => own.flatMap((one) => [`${path}/${nameIn(one)}`, `${one}/${nameIn(path)}`])),
  ]);
  const paths = [...own, ...meeting].filter((path) => compiled.value.covers(path));
  return [...new Set(paths)];
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function candidates(pattern: string, workspace: string): readonly string[] {
  if (pattern === '*') return [`/${PROBE}`, `${workspace}/${PROBE}`];
  const expanded = expandBraces(pattern);
  const [first = pattern] = expanded.success ? expanded.value : [];
  const anchored = first.startsWith('**/') ? `${workspace}/${first.slice(3)}` : first;
  const path = anchored.split('/').map(nameFor).join('/');
  // What is below it first: a folder is covered with everything in it.
  return [`${path}/${PROBE}`, path];
}

/** A name that the segment matches. */
function nameFor(segment: string): string {
  if (segment === '**') return PROBE;
  return segment
    .replace(/\\(.)/g, '$1')
    .replace(/\[!?\^?(.)[^\]]*\]/g, '$1')
    .replace(/\*+/g, PROBE)
    .replace(/\?/g, 'q');
}
