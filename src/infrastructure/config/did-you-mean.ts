import { nearestNames } from '../../domain/nearest-names.js';

/** The candidate a person most likely meant, as a hint; undefined when none is near. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  const [nearest] = nearestNames(word, [...candidates]);
  return nearest === undefined ? undefined : `Did you mean ${nearest}?`;
}
