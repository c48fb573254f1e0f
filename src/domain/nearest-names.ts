const MAX_COMPARED = 64;

/** Up to two of `candidates` close enough to `name` for a did-you-mean. */
export function nearestNames(name: string, candidates: readonly string[]): readonly string[] {
  const wanted = name.toLowerCase().slice(0, MAX_COMPARED);
  const limit = Math.max(2, Math.floor(wanted.length / 3));
  return candidates
    .map((candidate) => ({
      candidate,
      distance: editDistance(wanted, candidate.toLowerCase().slice(0, MAX_COMPARED)),
    }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, 2)
    .map(({ candidate }) => candidate);
}

/** Insertions, deletions and replacements needed to turn one word into the other. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
