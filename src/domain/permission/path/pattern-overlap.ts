import { endOfClass, expandBraces } from './brace-expansion.js';

const ANYTHING = '*';
const GLOBSTAR = '**';
/** Longer patterns are assumed to overlap. */
const MAX_PARTS = 64;

/**
 * Returns true if some path may be covered by both patterns, including everything below their matches. Never
 * wrongly false; it may be wrongly true, because a set such as `[a-z]` counts as any character.
 */
export function patternsOverlap(first: string, second: string): boolean {
  if (first === ANYTHING || second === ANYTHING) return true;
  const some = alternativesOf(first);
  const others = alternativesOf(second);
  return some.some((one) => others.some((other) => partsOverlap(one, other)));
}

function alternativesOf(pattern: string): readonly (readonly string[])[] {
  const expanded = expandBraces(pattern);
  const texts = expanded.success ? expanded.value : [pattern];
  return texts.map((text) => [...text.replace(/\/+$/, '').split('/'), GLOBSTAR]);
}

function partsOverlap(first: readonly string[], second: readonly string[]): boolean {
  if (first.length > MAX_PARTS || second.length > MAX_PARTS) return true;
  return sequencesOverlap(first, second, (part) => part === GLOBSTAR, segmentsOverlap);
}

function segmentsOverlap(first: string, second: string): boolean {
  return sequencesOverlap(
    charactersOf(first),
    charactersOf(second),
    (character) => character === ANYTHING,
    (one, other) => one === ANY_ONE || other === ANY_ONE || one === other,
  );
}

const ANY_ONE = '?';

/** Wildcards as `*` and `?`; literal characters carry a mark, so they differ from both. */
function charactersOf(segment: string): readonly string[] {
  const found: string[] = [];
  for (let index = 0; index < segment.length; index += 1) {
    const character = segment[index] ?? '';
    if (character === '*') found.push(ANYTHING);
    else if (character === '?') found.push(ANY_ONE);
    else if (character === '[' && endOfClass(segment, index) > index) {
      found.push(ANY_ONE);
      index = endOfClass(segment, index);
    } else {
      if (character === '\\' && index + 1 < segment.length) index += 1;
      found.push(`=${segment[index] ?? ''}`);
    }
  }
  return found;
}

/** Two sequences in which some elements stand for any number of others: can both match the same sequence? */
function sequencesOverlap(
  first: readonly string[],
  second: readonly string[],
  isOpen: (element: string) => boolean,
  meet: (one: string, other: string) => boolean,
): boolean {
  // reach[j]: the elements of `first` so far and the first j of `second` can match the same sequence.
  let reach = [true];
  for (const other of second) reach.push(reach.at(-1) === true && isOpen(other));
  for (const element of first) {
    const next = [reach[0] === true && isOpen(element)];
    for (const [index, other] of second.entries()) {
      const isEither = isOpen(element) || isOpen(other);
      next.push(
        isEither
          ? reach[index + 1] === true || next[index] === true
          : reach[index] === true && meet(element, other),
      );
    }
    reach = next;
  }
  return reach.at(-1) === true;
}
