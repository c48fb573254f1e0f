import type { Section } from './document-outline.js';

/** Headings that name a part of a document, not the document. */
const PART =
  /^(?:summary|abstract|status|context|title|name|adr|decision|decision record|introduction|overview|motivation|table of contents|contents|tl;?dr|metadata)$/i;

/** The heading that is the title; undefined if the first headings only name parts, as in Rust's RFCs. */
export function titleSection(sections: readonly Section[]): Section | undefined {
  const [first] = sections.filter(({ level }) => level === 1);
  if (first !== undefined) return PART.test(first.heading.trim()) ? undefined : first;
  const [highest] = sections.filter(({ level }) => level > 0);
  return highest === undefined || PART.test(highest.heading.trim()) || highest.line > MAX_TITLE_LINE
    ? undefined
    : highest;
}

/** A title that is not a first-level heading must still be near the top. */
const MAX_TITLE_LINE = 10;

/** `0042-use-one-queue.md` and `0042-use-one-queue/README.md` are both "use one queue". */
export function titleFromPath(path: string): string {
  const name = documentName(path);
  const words = name.replace(/^(?:adr|kep|rfc|madr)?[-_ ]?\d+[-_ .]*/i, '').replace(/[-_]+/g, ' ');
  return words.trim() || name;
}

/**
 * The name of a file without its extension; for a README in a directory of its own, the name of the
 * directory.
 */
export function documentName(path: string): string {
  const segments = path.split('/');
  const file = (segments.pop() ?? '').replace(/\.[^.]*$/, '');
  const folder = segments.pop();
  return folder !== undefined && /^(?:readme|index)$/i.test(file) ? folder : file;
}
