const OPENING = '<!--';
const CLOSING = '-->';

/**
 * Replaces HTML comments by spaces, so that positions stay. Linear: a regular expression would try every
 * opening to the end.
 */
export function blankComments(text: string): string {
  let start = text.indexOf(OPENING);
  if (start === -1) return text;
  const parts: string[] = [];
  let from = 0;
  while (start !== -1) {
    const close = text.indexOf(CLOSING, start + OPENING.length);
    if (close === -1) break;
    const end = close + CLOSING.length;
    parts.push(text.slice(from, start), text.slice(start, end).replace(/[^\n]/g, ' '));
    from = end;
    start = text.indexOf(OPENING, end);
  }
  return parts.join('') + text.slice(from);
}
