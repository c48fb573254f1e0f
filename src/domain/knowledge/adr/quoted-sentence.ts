import { blankComments } from '../document/markdown-comments.js';

/** A sentence of a file. Line breaks are replaced by spaces, so that positions match the file. */
export interface QuotedSentence {
  readonly text: string;
  readonly start: number;
}

/** Words exactly as they are in the file, and the line on which they begin. */
export interface Quote {
  readonly quote: string;
  readonly line: number;
}

const BOUNDARY =
  /(?<=[.!?])["”')*_]*\s+(?=[^a-z\s])|(?<=[。！？])|\r?\n\s*\r?\n|\r?\n(?=\s*(?:[-*+>|#]|\d+[.)])\s)/gu;
const FENCED = /^ {0,3}(```|~~~)[^\n]*\n.*?(?:^ {0,3}\1[^\n]*$|(?![\s\S]))/gms;
const MARKER = /^\s*(?:(?:[-*+>]|\d+[.)]|#{1,6})\s+)*/;

/** The sentences between two positions of a text, without code. */
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

/** A complete sentence as written in the file, including line breaks. */
export function quoteOf(file: string, { text, start }: QuotedSentence): Quote {
  let line = 1;
  for (let index = file.indexOf('\n'); index !== -1 && index < start; index = file.indexOf('\n', index + 1)) {
    line += 1;
  }
  return { quote: file.slice(start, start + text.length).trim(), line };
}
