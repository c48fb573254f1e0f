/**
 * Control characters, line and paragraph separators, and the marks that turn the direction of writing: with them a
 * name could look like several lines, or like another name.
 */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A name on one line. Nothing but control characters is changed. */
export function plainName(name: string): string {
  return name.replaceAll(UNPRINTABLE, (character) => SHORT[character] ?? escaped(character));
}

function escaped(character: string): string {
  const code = character.charCodeAt(0).toString(16);
  return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
}
