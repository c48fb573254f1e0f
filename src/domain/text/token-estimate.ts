/**
 * Words, numbers, runs of punctuation and blanks, split like current tokenizers do before they look up
 * pieces. Long runs are split as well, so that counting can stop early.
 */
const PIECES =
  /[^\r\n\p{L}\p{N}]?(?:\p{Lu}?[\p{Ll}\p{Lm}\p{Lo}]{1,999}|\p{Lu}{1,999})|\p{N}{1,3}| ?[^\s\p{L}\p{N}]{1,999}|\s+/gu;

/** Common words are one token; longer ones consist of pieces of about this length. */
const WHOLE_WORD = 9;
const PART_OF_WORD = 5;
const PART_OF_PUNCTUATION = 4;

/**
 * Estimates the tokens of a text without a tokenizer. A test compares it with o200k: within a tenth for lists
 * of tools and results.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += tokensOf(piece);
  return tokens;
}

/** A text cut by the estimate must fit by the tokenizer, which differs by up to a tenth. */
const CAUTION = 0.9;
/** Encoded text has no words to end at. */
const LONG_PIECE = 50;

/** A length from the start that certainly has at most that many tokens. */
export function fittingLength(text: string, most: number): number {
  const maxTokens = most * CAUTION;
  // A token of ASCII has at least one character.
  if (text.length <= maxTokens && !NOT_ASCII.test(text)) return text.length;
  let tokens = 0;
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    const cost = tokensOf(piece);
    if (tokens + cost > maxTokens) {
      const share = piece.length > LONG_PIECE ? (maxTokens - tokens) / cost : 0;
      return index + Math.floor(piece.length * share);
    }
    tokens += cost;
  }
  return text.length;
}

/** Scripts without blanks: a token has one or two of their characters. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const DENSE_SHARE = 0.8;

const NOT_ASCII = /[\u0080-\uffff]/;
/** Letters and signs of other scripts make shorter tokens. */
const FOREIGN_WORD = 5;
const FOREIGN_PART = 3;
const FOREIGN_SIGN = 0.9;
/** Two letters between other characters, as in encoded bytes. */
const SCRAP = /^\p{L}{1,2}$/u;
const SCRAP_TOKENS = 1.35;

function tokensOf(piece: string): number {
  if (NOT_ASCII.test(piece)) return foreignTokens(piece);
  if (SCRAP.test(piece)) return SCRAP_TOKENS;
  if (/\p{L}/u.test(piece))
    return piece.length <= WHOLE_WORD ? 1 : Math.ceil(piece.length / PART_OF_WORD) - 1;
  if (/\p{N}/u.test(piece) || /^\s/.test(piece)) return 1;
  return Math.ceil(piece.length / PART_OF_PUNCTUATION);
}

function foreignTokens(piece: string): number {
  if (DENSE.test(piece)) return Math.ceil(piece.length * DENSE_SHARE);
  if (!/\p{L}/u.test(piece)) return Math.ceil(piece.length * FOREIGN_SIGN);
  return piece.length <= FOREIGN_WORD ? 1 : Math.ceil(piece.length / FOREIGN_PART);
}
