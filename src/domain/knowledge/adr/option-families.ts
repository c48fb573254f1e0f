import { OPTION_TABLE, PROPER_NAMES } from './option-table.js';
import { topicStems } from './topic-words.js';

export interface KnownOption {
  readonly name: string;
  readonly family: string;
}

export interface OptionMention extends KnownOption {
  readonly from: number;
  readonly to: number;
}

interface Spelling {
  readonly option: KnownOption;
  readonly words: string;
}

const SPELLINGS: readonly Spelling[] = Object.entries(OPTION_TABLE)
  .flatMap(([family, entry]) => {
    const [, options = ''] = entry.split(' :: ');
    return options.split('|').flatMap((option) => {
      const words = option.split(',').map((word) => word.trim());
      const known = { name: words[0] ?? '', family };
      return words.map((spelling) => ({ option: known, words: spelling }));
    });
  })
  .sort((a, b) => b.words.length - a.words.length);

const ROLES = new Map(
  Object.entries(OPTION_TABLE).map(([family, entry]) => [
    family,
    topicStems(entry.split(' :: ', 1)[0] ?? ''),
  ]),
);

const BY_WORDS = new Map(SPELLINGS.map(({ option, words }) => [words, option]));
const ANY = new RegExp(
  `(?<![\\p{L}\\p{N}_.#-])(?:${SPELLINGS.map(({ words }) => escaped(words)).join('|')})(?![\\p{L}\\p{N}_#+]|-(?!based|backed|only|first)[\\p{L}])`,
  'giu',
);
const AS_A_NAME =
  /^(?:\s+(?:for|as|is|was|are|services?|code|instead|and|rather|over|on|applications?|apps?)\b|["”*`,.:;!)]|$)/i;

/** Every known option in a text, the longest spelling first, none inside of another. */
export function optionsIn(text: string): readonly OptionMention[] {
  return [...text.matchAll(ANY)].flatMap((match) => {
    const [written] = match;
    const words = written.toLowerCase();
    const option = BY_WORDS.get(words);
    if (option === undefined || (PROPER_NAMES.has(words) && !isProper(text, match.index, written))) return [];
    return [{ ...option, from: match.index, to: match.index + written.length }];
  });
}

/** Words that say what kind of thing the options of a family are, not what they are taken for. */
export function roleWords(family: string | undefined): ReadonlySet<string> {
  return (family === undefined ? undefined : ROLES.get(family)) ?? new Set();
}

/** At the beginning of a sentence a capital letter proves nothing: "Go back to …", "React to …". */
function isProper(text: string, at: number, written: string): boolean {
  if (written === 'REST') return true;
  if (written === written.toLowerCase() || written === written.toUpperCase()) return false;
  const opens = /^\W*$|[.!?]\W*$/.test(text.slice(Math.max(0, at - 4), at));
  return !opens || AS_A_NAME.test(text.slice(at + written.length, at + written.length + 20));
}

function escaped(words: string): string {
  return words.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
