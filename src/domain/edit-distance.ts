/**
 * The number of insertions, deletions, replacements and swaps of adjacent letters between two words; `limit`
 * + 1 as soon as it exceeds `limit`.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    let best = row;
    for (let column = 1; column <= b.length; column += 1) {
      const cost = stepCost(a, b, row, column, { current, previous, beforePrevious });
      current.push(cost);
      if (cost < best) best = cost;
    }
    if (best > limit) return limit + 1;
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}

interface Rows {
  readonly current: readonly number[];
  readonly previous: readonly number[];
  readonly beforePrevious: readonly number[];
}

function stepCost(a: string, b: string, row: number, column: number, rows: Rows): number {
  const same = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
  const replaced = (rows.previous[column - 1] ?? 0) + (same ? 0 : 1);
  const cost = Math.min(replaced, (rows.previous[column] ?? 0) + 1, (rows.current[column - 1] ?? 0) + 1);
  const swapped =
    row > 1 &&
    column > 1 &&
    a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
    a.charCodeAt(row - 2) === b.charCodeAt(column - 1);
  return swapped ? Math.min(cost, (rows.beforePrevious[column - 2] ?? 0) + 1) : cost;
}
