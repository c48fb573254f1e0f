import { Result } from '../../result.js';

const MAX_ALTERNATIVES = 256;

/**
 * Expands `src/{a,b}.ts` into both patterns. A brace without a comma or a partner is an ordinary character.
 */
export function expandBraces(pattern: string): Result<readonly string[]> {
  if (!pattern.includes('{')) return Result.ok([pattern]);
  let pending = [pattern];
  const expanded: string[] = [];
  while (pending.length > 0) {
    const next: string[] = [];
    for (const candidate of pending) {
      const group = firstGroup(candidate);
      if (group === undefined) expanded.push(candidate);
      else next.push(...group);
    }
    if (expanded.length + next.length > MAX_ALTERNATIVES) {
      return Result.failure(
        `The pattern expands to more than ${MAX_ALTERNATIVES} alternatives; write several patterns instead.`,
        'InvalidPattern',
      );
    }
    pending = next;
  }
  return Result.ok(expanded);
}

/** The pattern once per alternative of its first group; undefined if it has none. */
function firstGroup(pattern: string): readonly string[] | undefined {
  for (let start = 0; start < pattern.length; start += 1) {
    const char = pattern[start];
    if (char === '\\') start += 1;
    else if (char === '[') start = endOfClass(pattern, start);
    else if (char === '{') {
      const group = readGroup(pattern, start);
      if (group === undefined) continue;
      const before = pattern.slice(0, start);
      const after = pattern.slice(group.end + 1);
      return group.alternatives.map((alternative) => before + alternative + after);
    }
  }
  return undefined;
}

function readGroup(
  pattern: string,
  start: number,
): { readonly alternatives: readonly string[]; readonly end: number } | undefined {
  const alternatives: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let index = start; index < pattern.length; index += 1) {
    const char = pattern[index];
    if (char === '\\') index += 1;
    else if (char === '{') depth += 1;
    else if (char === ',' && depth === 1) {
      alternatives.push(pattern.slice(from, index));
      from = index + 1;
    } else if (char === '}') {
      depth -= 1;
      if (depth > 0) continue;
      if (alternatives.length === 0) return undefined;
      alternatives.push(pattern.slice(from, index));
      return { alternatives, end: index };
    }
  }
  return undefined;
}

/** The index of the bracket that closes the class opened at `start`; `start` if none does. */
export function endOfClass(pattern: string, start: number): number {
  let index = start + 1;
  if (pattern[index] === '!' || pattern[index] === '^') index += 1;
  if (pattern[index] === ']') index += 1;
  for (; index < pattern.length; index += 1) {
    if (pattern[index] === '\\') index += 1;
    else if (pattern[index] === ']') return index;
    else if (pattern[index] === '/') return start;
  }
  return start;
}
