import { stem } from '../search/stem.js';

/** A number with what it counts; times in seconds. */
export interface Quantity {
  readonly kind: string;
  readonly value: number;
  readonly bound: 'least' | 'most' | 'exact';
}

const NUMBERS = new Map<string, number>([
  ...'one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, index) => [word, index + 1] as const),
  ...'fifteen 15 twenty 20 thirty 30 forty 40 fifty 50 sixty 60 ninety 90 hundred 100 a 1 an 1 every 1 each 1 per 1'
    .split(/ (?=[a-z])/)
    .map((pair) => pair.split(' '))
    .map(([word = '', value]) => [word, Number(value)] as const),
]);
const SECONDS: Readonly<Record<string, number>> = {
  millisecond: 0.001,
  ms: 0.001,
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
  month: 2_629_800,
  quarter: 7_889_400,
  year: 31_557_600,
};
const FIGURES = new Set(Object.keys(SECONDS).map((unit) => stem(unit)));
const OFTEN = /^(?:every|each|per)$/i;
const QUANTITY = new RegExp(
  `(?:\\b(?:(at least|no less than|minimum of|more than|longer than|older than|above|over)|(at most|no more than|within|maximum of|up to|limited to|less than|below|under|shorter than)) )?(?:\\b(every|each|per|once|twice|times) )?(?<![\\p{L}\\p{N}.,-])(\\d{1,9}(?:[.,]\\d{1,6})*|\\b(?:(?:twenty|thirty|forty|fifty|sixty|ninety)-)?(?:${[...NUMBERS.keys()].join('|')}))\\s?(?:\\b|(?=%))(%|(?!(?:and|or|in|on|of|for|to|from|with|by|at|as|is|are|other|more|so|times?|new|per)\\b)\\p{L}{2,20})( (?:before|earlier|ahead|in advance|prior)\\b)?`,
  'giu',
);

/** Every "ten years", "80 %" and "at most 3 retries" of a text. */
export function quantitiesIn(text: string): readonly Quantity[] {
  return [...text.matchAll(QUANTITY)].flatMap((found) => {
    const [, least, most, often, number = '', written = '', ahead] = found;
    const count = countOf(number.toLowerCase());
    const unit = written.toLowerCase().replace(/s$/, '');
    const seconds = SECONDS[unit];
    // "A service" and "one for each" count nothing; "a day" does.
    const isCount = seconds !== undefined || (!/^(?:an?|one)$/i.test(number) && !OFTEN.test(number));
    if (!Number.isFinite(count) || !isCount) return [];
    const bound = boundOf(least, most, text);
    if (seconds === undefined) return [{ kind: unit === 'percent' ? '%' : stem(unit), value: count, bound }];
    const isRate = often !== undefined || OFTEN.test(number);
    const kind = isRate ? 'every' : ahead === undefined ? 'time' : 'ahead';
    return [{ kind, value: count * seconds, bound }];
  });
}

function countOf(number: string): number {
  if (/^\d/.test(number)) return Number(number.replace(/,(?=\d{3})/g, ''));
  return number.split('-').reduce((sum, word) => sum + (NUMBERS.get(word) ?? Number.NaN), 0);
}

/** True for the stem of a word that only tells how many or how long. */
export function isFigure(root: string): boolean {
  return /^\d|^(?:dai|least|most|than|longer|percent)$/.test(root) || NUMBERS.has(root) || FIGURES.has(root);
}

/** "not longer than" turns the bound around. */
function boundOf(least: string | undefined, most: string | undefined, text: string): Quantity['bound'] {
  const said = least ?? most;
  if (said === undefined) return 'exact';
  const isTurned = / than$/i.test(said) && /\b(?:not|never|cannot|n't)\b/i.test(text) && !/^no /i.test(said);
  return (least !== undefined) === isTurned ? 'most' : 'least';
}

/** True where something that is to be `wanted` cannot be `given`. */
export function quantitiesDiffer(wanted: Quantity, given: Quantity): boolean {
  if (wanted.kind !== given.kind) return false;
  switch (wanted.bound) {
    case 'least':
      return given.value < wanted.value;
    case 'most':
      return given.value > wanted.value;
    case 'exact':
      return given.value !== wanted.value;
  }
}
