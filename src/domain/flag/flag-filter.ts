/**
 * Matches a name, or a glob of `*` and `?`. Greedy with one step back, so the time is at most the product of
 * the lengths, however many stars there are.
 */
export function matchesFlagFilter(filter: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  let place = 0;
  while (place < name.length) {
    const wanted = filter[at];
    if (wanted === '*') {
      star = at;
      resume = place;
      at += 1;
    } else if (wanted !== undefined && (wanted === '?' || wanted === name[place])) {
      at += 1;
      place += 1;
    } else if (star >= 0) {
      at = star + 1;
      resume += 1;
      place = resume;
    } else {
      return false;
    }
  }
  return /^\**$/.test(filter.slice(at));
}
