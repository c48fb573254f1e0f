/** A number with what it counts, in the smallest unit of its kind. */
export interface Quantity {
  readonly kind: string;
  readonly value: number;
  readonly bound: 'least' | 'most' | 'exact';
  /** "three days before": counted back from something. */
  readonly isAhead: boolean;
}

const NUMBERS = new Map(
  'one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, index) => [word, index + 1] as const),
);
const TENS: readonly (readonly [string, number])[] = [
  ['fifteen', 15],
  ['twenty', 20],
  ['thirty', 30],
  ['forty', 40],
  ['fifty', 50],
  ['sixty', 60],
  ['ninety', 90],
  ['hundred', 100],
];
const WORDS = new Map<string, number>([
  ...NUMBERS,
  ...TENS,
  ['a', 1],
  ['an', 1],
  ['every', 1],
  ['each', 1],
  ['per', 1],
]);

const SECONDS: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
  month: 2_629_800,
  quarter: 7_889_400,
  year: 31_557_600,
};
const QUANTITY =
  /\b(?:(at least|no less than|minimum of|more than|longer than|older than)|(at most|no more than|within|maximum of|up to|less than|below|shorter than))?\s*(\d{1,9}(?:\.\d{1,6})?|[a-z]{1,9})\s?(%|percent|seconds?|minutes?|hours?|days?|weeks?|months?|quarters?|years?|lines?|characters?|retries|attempts|replicas?|kb|mb|gb|ms)(?![\p{L}])(\s+(?:before|earlier|ahead|in advance|prior))?/giu;

/** Every "ten years", "80 %" and "at most 3 retries" of a text. */
export function quantitiesIn(text: string): readonly Quantity[] {
  return [...text.matchAll(QUANTITY)].flatMap(([, least, most, number = '', written = '', ahead]) => {
    const count = WORDS.get(number.toLowerCase()) ?? Number(number);
    if (!Number.isFinite(count)) return [];
    const unit = written.toLowerCase().replace(/s$/, '');
    const seconds = SECONDS[unit];
    const bound = boundOf(least, most, text);
    const isAhead = ahead !== undefined;
    if (seconds !== undefined) return [{ kind: 'time', value: count * seconds, bound, isAhead }];
    return [{ kind: unit === 'percent' ? '%' : unit, value: count, bound, isAhead }];
  });
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
  if (wanted.kind !== given.kind || wanted.isAhead !== given.isAhead) return false;
  switch (wanted.bound) {
    case 'least':
      return given.value < wanted.value;
    case 'most':
      return given.value > wanted.value;
    case 'exact':
      return given.value !== wanted.value;
  }
}
