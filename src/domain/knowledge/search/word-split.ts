/** Longer runs are hashes, keys and encoded data, which users do not search for by word. */
const MAX_WORD = 40;
const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u;
const ASCII_WORD = new Uint8Array(128);
for (const character of '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz') {
  ASCII_WORD[character.charCodeAt(0)] = 1;
}
const PLAIN = /^[a-z]+$/;
const NUMBER = /^\p{N}+$/u;
const ASCII = /^[\x20-\x7e]*$/;
const MARKS = /\p{M}+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|[\p{Lo}\p{Lm}\p{Lt}]+|\p{N}+/gu;

/** Visits every run of letters, digits and underscores between two positions of a text, in order. */
export function forEachRun(text: string, from: number, to: number, visit: (run: string) => void): void {
  let start = -1;
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 128 ? ASCII_WORD[code] === 1 : isWordBeyondAscii(text, at)) {
      if (start === -1) start = at;
    } else if (start !== -1) {
      visit(text.slice(start, at));
      start = -1;
    }
  }
  if (start !== -1) visit(text.slice(start, to));
}

/** The second half of a surrogate pair belongs to the same class as the first. */
function isWordBeyondAscii(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const start = code >= 0xdc00 && code <= 0xdfff && at > 0 ? at - 1 : at;
  return WORD_CHARACTER.test(String.fromCodePoint(text.codePointAt(start) ?? 0));
}

/**
 * The words under which a run is indexed, in lower case and without accents: an identifier whole and by its
 * parts (`eth_getBlock`: ethgetblock, eth, get, block), scripts without spaces by pairs of characters.
 */
export function splitRun(run: string): readonly string[] {
  if (PLAIN.test(run)) return run.length > 1 && run.length <= MAX_WORD ? [run] : [];
  const plain = ASCII.test(run) ? run : run.normalize('NFKD').replace(MARKS, '');
  if (UNSPACED.test(plain)) return pairsOf(plain.slice(0, MAX_WORD));
  const parts = (plain.match(PARTS) ?? []).map((part) => part.toLowerCase());
  const whole = parts.join('');
  if (whole.length > MAX_WORD) return parts.length > 1 ? parts.filter(isWord) : [];
  return parts.length > 1 ? [whole, ...parts.filter(isWord)] : parts.filter(isWord);
}

function isWord(part: string): boolean {
  return (part.length > 1 || NUMBER.test(part) || !ASCII.test(part)) && part.length <= MAX_WORD;
}

function pairsOf(text: string): readonly string[] {
  const characters = [...text.toLowerCase()];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
