import { wholeStart } from '../../domain/text/short-lines.js';
import { estimateTokens, fittingLength } from '../../domain/text/token-estimate.js';

export interface FittedTexts {
  readonly texts: readonly string[];
  /** How much of all is shown, 0 to 1; absent: all. */
  readonly shown?: number;
}

/** Of what is too long, more of the beginning is kept than of the end. */
const HEAD_SHARE = 0.6;

/**
 * Texts of at most so many tokens together. `head`: the first ones whole and the beginning of the one that goes over;
 * `ends`: beginning and end of each, as of the output of programs, whose last lines matter most.
 */
export function fitTokens(texts: readonly string[], maxTokens: number, keep: 'head' | 'ends'): FittedTexts {
  if (fittingLength(texts.join('\n'), maxTokens) >= texts.join('\n').length) return { texts };
  const costs = texts.map(estimateTokens);
  const total = Math.max(
    maxTokens,
    costs.reduce((sum, tokens) => sum + tokens, 0),
  );
  const fitted =
    keep === 'ends'
      ? texts.map((text, index) => bothEnds(text, Math.floor(maxTokens * ((costs[index] ?? 0) / total))))
      : heads(texts, costs, maxTokens);
  return { texts: fitted, shown: maxTokens / total };
}

function heads(texts: readonly string[], costs: readonly number[], maxTokens: number): readonly string[] {
  let left = maxTokens;
  return texts.flatMap((text, index) => {
    const room = left;
    left -= costs[index] ?? 0;
    if (left >= 0) return [text];
    return room > 0 ? [headOf(text, room)] : [];
  });
}

/** Up to the end of a line, if it has one. */
function headOf(text: string, tokens: number): string {
  const length = fittingLength(text, tokens);
  if (length >= text.length) return text;
  const end = text.lastIndexOf('\n', length - 1);
  return end < 0 ? wholeStart(text, length) : text.slice(0, end);
}

function bothEnds(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text;
  const head = headOf(text, Math.floor(tokens * HEAD_SHARE));
  const tail = tailOf(text.slice(head.length), Math.floor(tokens * (1 - HEAD_SHARE)));
  return `${head}\n[… ${text.length - head.length - tail.length} characters cut …]\n${tail}`;
}

function tailOf(text: string, tokens: number): string {
  // What fits in one direction fits in the other, but for a piece that is cut.
  const reversed = [...text.slice(-tokens * LONGEST_TOKEN)].reverse().join('');
  const tail = text.slice(text.length - fittingLength(reversed, tokens));
  const start = tail.indexOf('\n');
  return start < 0 ? tail : tail.slice(start + 1);
}

/** Characters of a token, in text that no program prints by the page. */
const LONGEST_TOKEN = 16;
