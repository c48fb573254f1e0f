import { endOfClass, expandBraces } from './brace-expansion.js';

const ANYTHING = '*';
const GLOBSTAR = '**';
/** Patterns are short; two that are not are taken to have something in common. */
const MAX_PARTS = 64;

/**
 * Whether some path is covered by both patterns, each with all that is below what it matches. Never says no
 * wrongly; a set such as `[a-z]` counts as any character, so it may say yes wrongly.
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

/** Wildcards as `*` and `?`, which no literal of these is: literals carry a mark. */
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

/** Two sequences in which some elements stand for any number of others: is there one that both match? */
function sequencesOverlap(
  first: readonly string[],
  second: readonly string[],
  isOpen: (element: string) => boolean,
  meet: (one: string, other: string) => boolean,
): boolean {
  // reach[j]: the elements of `first` so far and the first j of `second` have something in common.
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
