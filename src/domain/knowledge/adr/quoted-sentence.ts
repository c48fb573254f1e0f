import { blankComments } from '../document/markdown-comments.js';

/** A sentence of a file. The text has a space for every line break, so that places in it are places in the file. */
export interface QuotedSentence {
  readonly text: string;
  readonly start: number;
}

/** The words of a file, exactly as they stand on one of its lines. */
export interface Quote {
  readonly quote: string;
  readonly line: number;
}

const BOUNDARY =
  /(?<=[.!?])["”')*_]*\s+(?=[^a-z\s])|(?<=[。！？])|\r?\n\s*\r?\n|\r?\n(?=\s*(?:[-*+>|#]|\d+[.)])\s)/gu;
const FENCED = /^ {0,3}(```|~~~)[^\n]*\n.*?(?:^ {0,3}\1[^\n]*$|(?![\s\S]))/gms;
const MARKER = /^\s*(?:(?:[-*+>]|\d+[.)]|#{1,6})\s+)*/;
const MAX_QUOTE = 300;

/** The sentences between two places of a text, without code. */
export function sentencesBetween(text: string, from: number, to: number): readonly QuotedSentence[] {
  const body = blankComments(text.slice(from, to).replace(FENCED, (code) => code.replace(/[^\n]/g, ' ')));
  const sentences: QuotedSentence[] = [];
  let start = 0;
  for (const boundary of [...body.matchAll(BOUNDARY), { index: body.length, 0: '' }]) {
    const end = boundary.index;
    const marker = MARKER.exec(body.slice(start, end))?.[0].length ?? 0;
    const sentence = body
      .slice(start + marker, end)
      .replace(/\s/g, ' ')
      .trimEnd();
    if (/\p{L}/u.test(sentence)) sentences.push({ text: sentence, start: from + start + marker });
    start = end + boundary[0].length;
  }
  return sentences;
}

/** As much of a sentence as stands on the line of a place within it. */
export function quoteAt(file: string, { text, start }: QuotedSentence, place = 0): Quote {
  const at = start + place;
  const lineStart = file.lastIndexOf('\n', Math.max(at - 1, 0)) + 1;
  const newline = file.indexOf('\n', at);
  const lineEnd = newline === -1 ? file.length : newline;
  const from = Math.max(lineStart, start);
  const part = file.slice(from, Math.min(lineEnd, start + text.length));
  let line = 1;
  for (let index = file.indexOf('\n'); index !== -1 && index < from; index = file.indexOf('\n', index + 1)) {
    line += 1;
  }
  return { quote: cut(part.trim()), line };
}

function cut(text: string): string {
  if (text.length <= MAX_QUOTE) return text;
  const space = text.lastIndexOf(' ', MAX_QUOTE);
  return text.slice(0, space > 0 ? space : MAX_QUOTE);
}
