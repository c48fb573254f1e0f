/**
 * Insertions, deletions, replacements and swaps of neighbours between two words; `limit` + 1 as soon as it is
 * known to be more than `limit`.
 */
export function wordDistance(a: string, b: string, limit: number): number {
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

/** How many slips a word of this length may have and still be meant. */
export function allowedSlips(length: number): number {
  if (length < 4) return 0;
  return length < 8 ? 1 : 2;
}

/** One bit a letter: words within n slips of each other differ in at most 2n bits. */
export function letterMask(word: string): number {
  let mask = 0;
  for (let index = 0; index < word.length; index += 1) mask |= 1 << (word.charCodeAt(index) & 31);
  return mask >>> 0;
}

export function differingLetters(a: number, b: number): number {
  let bits = (a ^ b) >>> 0;
  bits -= (bits >>> 1) & 0x55555555;
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
