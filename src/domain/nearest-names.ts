import { editDistance } from './edit-distance.js';

const MAX_COMPARED = 64;

/** Up to two of `candidates` that are similar enough to `name` for a suggestion. */
export function nearestNames(name: string, candidates: readonly string[]): readonly string[] {
  const wanted = name.toLowerCase().slice(0, MAX_COMPARED);
  const limit = Math.max(2, Math.floor(wanted.length / 3));
  return candidates
    .map((candidate) => ({
      candidate,
      distance: editDistance(wanted, candidate.toLowerCase().slice(0, MAX_COMPARED), limit),
    }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, 2)
    .map(({ candidate }) => candidate);
}
