/** Longer lines are usually minified or encoded. */
export const MAX_LINE = 2_000;

export interface ShortLines {
  readonly text: string;
  /** The first line that was cut, counted from 1, and its length. */
  readonly longest?: { readonly line: number; readonly length: number };
}

/** The text with every long line cut; each says how long it was. */
export function shortLines(text: string, most = MAX_LINE): ShortLines {
  if (text.length <= most) return { text };
  let longest: ShortLines['longest'];
  const lines = text.split('\n').map((line, index) => {
    if (line.length <= most) return line;
    longest ??= { line: index + 1, length: line.length };
    return `${wholeStart(line, most)}[… ${line.length - most} characters more]`;
  });
  return longest === undefined ? { text } : { text: lines.join('\n'), longest };
}

/** The beginning of a text, without half a surrogate pair at its end. */
export function wholeStart(text: string, length: number): string {
  const code = text.charCodeAt(length - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? length - 1 : length);
}
