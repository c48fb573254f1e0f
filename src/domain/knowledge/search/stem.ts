const VOWEL_GROUPS = /[aeiouy]+[^aeiouy]/g;
const HAS_VOWEL = /[aeiouy]/;
const PLAIN_WORD = /^[a-z]{3,40}$/;

/** Suffixes that are replaced if enough of the word remains; longest first. */
const LONG_SUFFIXES: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['ization', 'ize'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['iveness', 'ive'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['entli', 'ent'],
  ['ousli', 'ous'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['ation', 'ate'],
  ['alli', 'al'],
  ['izer', 'ize'],
  ['ator', 'ate'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['abli', 'able'],
  ['eli', 'e'],
];

const MIDDLE_SUFFIXES: readonly (readonly [string, string])[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
];

const LAST_SUFFIXES = [
  'ement',
  'ance',
  'ence',
  'able',
  'ible',
  'ment',
  'ant',
  'ent',
  'ism',
  'ate',
  'iti',
  'ous',
  'ive',
  'ize',
  'ion',
  'al',
  'er',
  'ic',
  'ou',
];

/** The stem of an English word (Porter's algorithm); other words are returned unchanged. */
export function stem(word: string): string {
  if (!PLAIN_WORD.test(word)) return word;
  const singular = withoutPlural(word);
  const present = withoutTense(singular);
  const ended =
    present.endsWith('y') && HAS_VOWEL.test(present.slice(0, -1)) ? `${present.slice(0, -1)}i` : present;
  const shortened = replaced(replaced(ended, LONG_SUFFIXES), MIDDLE_SUFFIXES);
  return tidy(withoutLast(shortened));
}

/** How many vowel-consonant pairs a stem has: Porter's measure. */
function measure(word: string): number {
  return word.match(VOWEL_GROUPS)?.length ?? 0;
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  if (word.endsWith('ss') || word.endsWith('us') || !word.endsWith('s')) return word;
  return word.slice(0, -1);
}

function withoutTense(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const cut = word.endsWith('ing') ? 3 : word.endsWith('ed') ? 2 : 0;
  const rest = word.slice(0, word.length - cut);
  if (cut === 0 || !HAS_VOWEL.test(rest)) return word;
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (/([^aeioulsz])\1$/.test(rest)) return rest.slice(0, -1);
  return measure(rest) === 1 && endsShort(rest) ? `${rest}e` : rest;
}

function endsShort(word: string): boolean {
  return /[^aeiou][aeiouy][^aeiouwxy]$/.test(word);
}

function replaced(word: string, table: readonly (readonly [string, string])[]): string {
  for (const [suffix, instead] of table) {
    if (!word.endsWith(suffix)) continue;
    const rest = word.slice(0, -suffix.length);
    return measure(rest) > 0 ? rest + instead : word;
  }
  return word;
}

function withoutLast(word: string): string {
  for (const suffix of LAST_SUFFIXES) {
    if (!word.endsWith(suffix)) continue;
    const rest = word.slice(0, -suffix.length);
    if (measure(rest) < 2 || (suffix === 'ion' && !/[st]$/.test(rest))) return word;
    return rest;
  }
  return word;
}

function tidy(word: string): string {
  const bare = word.slice(0, -1);
  if (word.endsWith('e')) {
    const size = measure(bare);
    return size > 1 || (size === 1 && !endsShort(bare)) ? bare : word;
  }
  return word.endsWith('ll') && measure(bare) > 1 ? bare : word;
}
