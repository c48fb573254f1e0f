/** The kind of a text that a model cannot read: a sentence that names it, and how a program decodes it. */
export interface EncodedText {
  readonly what: string;
  readonly use: string;
}

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
const HEX = /^[0-9a-fA-F]+$/;
/** Shorter lines are words and identifiers. */
const LEAST_LINE = 48;
const LEAST_LINES = 20;
const SHARE = 0.9;
const LOOKED_AT = 64 * 1024;

/**
 * Returns the encoding if nearly all of a text is base64 or hexadecimal digits, as in certificates, dumps and
 * attachments. Only its beginning is examined.
 */
export function encodedText(text: string): EncodedText | undefined {
  const lines = text
    .slice(0, LOOKED_AT)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
  const characters = lines.reduce((sum, { length }) => sum + length, 0);
  if (characters < LEAST_LINE * LEAST_LINES) return undefined;
  const share = (pattern: RegExp): number =>
    lines
      .filter((line) => line.length >= LEAST_LINE && pattern.test(line))
      .reduce((sum, { length }) => sum + length, 0) / characters;
  if (share(HEX) >= SHARE) return { what: 'hexadecimal digits', use: 'xxd -r -p FILE | file -' };
  if (share(BASE64) >= SHARE && mixesLetters(lines))
    return { what: 'base64', use: 'base64 -d FILE | file -' };
  return undefined;
}

/** A long word in lower case is not base64. */
function mixesLetters(lines: readonly string[]): boolean {
  const sample = lines.slice(0, LEAST_LINES).join('');
  return /[a-z]/.test(sample) && /[A-Z]/.test(sample) && /\d/.test(sample);
}
