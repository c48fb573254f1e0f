/** A part of a document, from its heading to the next one. Offsets count characters of the text. */
export interface Section {
  /** Empty for the text before the first heading. */
  readonly heading: string;
  /** The headings above it and its own. */
  readonly path: readonly string[];
  readonly level: number;
  /** 1 for the first line of the file. */
  readonly line: number;
  readonly anchor: string;
  readonly start: number;
  readonly end: number;
}

export interface DocumentOutline {
  /** The raw text between the fences of the front matter. */
  readonly frontMatter?: string;
  /** The offset at which the text after the front matter begins. */
  readonly bodyStart: number;
  readonly sections: readonly Section[];
  /** True if there are more headings than are kept; the last section then holds the rest. */
  readonly cut: boolean;
}

interface OpenHeading {
  readonly text: string;
  readonly level: number;
  readonly line: number;
  readonly start: number;
}

const MAX_SECTIONS = 5000;
const MAX_HEADING = 300;
const ATX = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
const CLOSING_MARKS = /(?:^|[ \t])#+$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const NO_PARAGRAPH = /^(?:\s*$|\s{4}|\t| {0,3}(?:[#>|]|[-*+][ \t]|\d+[.)][ \t]))/;

/** Reads headings line by line: linear in the text, whatever it contains. */
export function outlineOf(text: string): DocumentOutline {
  const front = frontMatterOf(text);
  const bodyStart = front?.end ?? (text.startsWith('\ufeff') ? 1 : 0);
  const { headings, cut } = scan(text, bodyStart, 1 + countLines(text, bodyStart));
  return {
    ...(front && { frontMatter: front.text }),
    bodyStart,
    sections: toSections(headings, text.length),
    cut,
  };
}

function frontMatterOf(text: string): { readonly text: string; readonly end: number } | undefined {
  const opening = /^\ufeff?---[ \t]*\r?\n/.exec(text);
  if (opening === null) return undefined;
  const closing = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/gm;
  closing.lastIndex = opening[0].length;
  const found = closing.exec(text);
  if (found === null) return undefined;
  return { text: text.slice(opening[0].length, found.index), end: found.index + found[0].length };
}

function countLines(text: string, end: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

function scan(text: string, from: number, firstLine: number) {
  const headings: OpenHeading[] = [{ text: '', level: 0, line: firstLine, start: from }];
  let fence = '';
  let before = { text: '', start: from };
  for (let start = from, line = firstLine; start < text.length; line += 1) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    const content = text.slice(start, text.charCodeAt(end - 1) === 13 ? end - 1 : end);
    const marker = FENCE.exec(content)?.[1];
    if (fence !== '') {
      if (marker?.startsWith(fence) && content.trim() === marker) fence = '';
    } else if (marker !== undefined) {
      fence = marker;
    } else {
      const heading = headingAt(content, before, line, start);
      if (heading !== undefined) {
        if (headings.length > MAX_SECTIONS) return { headings, cut: true };
        headings.push(heading);
      }
    }
    before = { text: fence === '' && marker === undefined ? content : '', start };
    start = end + 1;
  }
  return { headings, cut: false };
}

function headingAt(
  content: string,
  before: { readonly text: string; readonly start: number },
  line: number,
  start: number,
): OpenHeading | undefined {
  // Most lines are ordinary: the first character that is not a space decides without a regular expression.
  const first = content.trimStart().charCodeAt(0);
  if (first === 35) {
    const [opening = '', marks] = ATX.exec(content) ?? [];
    if (marks !== undefined) {
      const text = content.slice(opening.length, 2000).trim().replace(CLOSING_MARKS, '').trimEnd();
      return { text: plainHeading(text), level: marks.length, line, start };
    }
  } else if ((first === 61 || first === 45) && !NO_PARAGRAPH.test(before.text)) {
    const [, underline] = UNDERLINE.exec(content.slice(0, 2000)) ?? [];
    if (underline !== undefined) {
      const level = underline.startsWith('=') ? 1 : 2;
      return { text: plainHeading(before.text), level, line: line - 1, start: before.start };
    }
  }
  return undefined;
}

/** The text of a heading without its markup. */
function plainHeading(text: string): string {
  return text
    .slice(0, MAX_HEADING)
    .replace(/!?\[([^\][]*)\]\([^()]*\)/g, '$1')
    .replace(/[`*]|(?<!\w)_|_(?!\w)/g, '')
    .trim();
}

function toSections(headings: readonly OpenHeading[], length: number): readonly Section[] {
  const anchors = new Map<string, number>();
  const above: OpenHeading[] = [];
  const sections: Section[] = [];
  headings.forEach((heading, index) => {
    while ((above.at(-1)?.level ?? 0) >= heading.level && above.length > 0) above.pop();
    if (heading.level > 0) above.push(heading);
    const end = headings[index + 1]?.start ?? length;
    if (heading.level === 0 && end === heading.start) return;
    sections.push({
      heading: heading.text,
      path: above.map(({ text }) => text),
      level: heading.level,
      line: heading.line,
      anchor: anchorOf(heading.text, anchors),
      start: heading.start,
      end,
    });
  });
  return sections;
}

/** The anchor that GitHub and most renderers give a heading. */
function anchorOf(heading: string, taken: Map<string, number>): string {
  const slug = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-');
  const count = taken.get(slug) ?? 0;
  taken.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}
