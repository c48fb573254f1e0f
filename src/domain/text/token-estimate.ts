/**
 * Words, numbers, runs of punctuation and blanks, cut as the tokenizers of today cut them before they look up pieces. What
 * has no end is cut as well, so that whoever has counted enough of it need not look at the rest.
 */
const PIECES =
  /[^\r\n\p{L}\p{N}]?(?:\p{Lu}?[\p{Ll}\p{Lm}\p{Lo}]{1,999}|\p{Lu}{1,999})|\p{N}{1,3}| ?[^\s\p{L}\p{N}]{1,999}|\s+/gu;

/** Common words are one token; longer ones are put together from pieces of about this length. */
const WHOLE_WORD = 9;
const PART_OF_WORD = 5;
const PART_OF_PUNCTUATION = 4;

/**
 * How many tokens a text is to a model, without a tokenizer: an estimate. A test holds it against o200k, where it is
 * within a tenth for what a list of tools and answers consist of.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += tokensOf(piece);
  return tokens;
}

/** What is cut by the estimate must fit by the tokenizer, which is up to a tenth apart. */
const CAUTION = 0.9;
/** What is encoded has no words to end at. */
const LONG_PIECE = 50;

/** How many characters from the start surely have at most so many tokens. */
export function fittingLength(text: string, most: number): number {
  const maxTokens = most * CAUTION;
  // A token of ASCII has one character at least.
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

/** Writing without blanks: a token has one or two of its characters. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const DENSE_SHARE = 0.8;

const NOT_ASCII = /[\u0080-\uffff]/;
/** Letters and signs of other writings make shorter tokens. */
const FOREIGN_WORD = 5;
const FOREIGN_PART = 3;
const FOREIGN_SIGN = 0.9;
/** Two letters in the midst of others, as encoded bytes have them. */
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
