import type { DocumentOutline, Section } from '../document/document-outline.js';
import { documentName } from '../document/document-title.js';
import { blankComments } from '../document/markdown-comments.js';
import { type AdrLink, linksInLine, linksOfKey } from './adr-link.js';
import { type AdrStatus, normaliseStatus } from './adr-status.js';

/** The source that an ADR is read from. */
export interface AdrSource {
  readonly uri: string;
  readonly path: string;
  readonly title: string;
  readonly text: string;
  readonly frontMatter: Readonly<Record<string, unknown>>;
  readonly outline: DocumentOutline;
}

export interface AdrRecord {
  readonly source: AdrSource;
  /** `ADR-0007`, or the file name if it has no number. */
  readonly id: string;
  readonly number?: number;
  readonly title: string;
  readonly status: AdrStatus;
  /** True if the file has no status and its content implies that it is accepted. */
  readonly isInferred: boolean;
  /** As written; empty if there is none. */
  readonly statusText: string;
  readonly statusLine: number;
  readonly links: readonly AdrLink[];
}

const STATUS_HEADING =
  /^(?:\d+[.)]?\s*)?(?:adr )?(?:status|state|estado|situaci[oó]n|statut|[ée]tat|stato|stan|状态|状態|狀態|ステータス|статус|상태)\s*:?$/iu;
const STATUS_LINE =
  /^\s*(?:[-*+>|]\s*)*(?:[*_]{1,2})?(?:<u>)?(?:status|state|estado|statut|stato|stan|状态|状態|狀態|ステータス|статус|상태)(?:<\/u>)?(?:[*_]{1,2})?\s*[:：|=]\s*(?:[*_]{1,2}\s)?(.*?)[\s|]*$/iu;
const LINK_LINE =
  /^[\s>|*+_-]{0,40}\[?(?:super[sc]e|replace|amend|clarif|extend|refine|relate|see also|ersetzt|remplace|(?:partly|partially) )/i;
/** MADR names a chosen option; an RFC in the repository was merged. */
const DECIDED = /^\W*chosen (?:option|alternative)\b|^#+ Decision Outcome\b|^[-*] (?:RFC PR|Start Date):/im;
const HEAD_LINES = 60;
const MAX_STATUS = 20_000;
const MAX_LINKING_LINES = 2000;

export function parseAdr(source: AdrSource): AdrRecord {
  const lines = source.text.split(/\r?\n/);
  const status = statusOf(source, lines);
  const number = numberOf(source);
  const title = titleOf(source, lines);
  const isInferred = status.text.trim() === '' && DECIDED.test(source.text.slice(0, MAX_STATUS));
  return {
    source,
    id: number === undefined ? documentName(source.path) : `ADR-${String(number).padStart(4, '0')}`,
    ...(number !== undefined && { number }),
    title,
    status: isInferred ? 'accepted' : normaliseStatus(status.text),
    isInferred,
    statusText: status.text.trim(),
    statusLine: status.line,
    links: linksOf(source, lines, status),
  };
}

/** The title without its number; if the heading is only "Title", the text below it. */
function titleOf({ title, outline }: AdrSource, lines: readonly string[]): string {
  const named =
    title.replace(/^(?:(?:adr|kep|rfc|madr|pep)[-_ #]*\d+\b\s*[.:)—–-]?|\d+\s*[.:)—–-])\s*/i, '').trim() ||
    title;
  if (!/^(?:title|name|adr|decision record)$/i.test(named)) return named;
  const at = outline.sections.find(({ level }) => level > 0)?.line ?? 0;
  const below = lines.slice(at, at + 5).find((line) => /\p{L}/u.test(line) && !line.startsWith('#'));
  return below?.trim().slice(0, 200) ?? named;
}

interface FoundStatus {
  readonly text: string;
  readonly line: number;
}

function statusOf(source: AdrSource, lines: readonly string[]): FoundStatus {
  const front = Object.entries(source.frontMatter).find(([key]) => /^(?:status|state)$/i.test(key));
  if (front !== undefined && typeof front[1] === 'string' && front[1].trim() !== '') {
    return { text: front[1], line: lineOfKey(lines, front[0]) };
  }
  const section = source.outline.sections.find(({ heading }) => STATUS_HEADING.test(heading.trim()));
  if (section !== undefined)
    return { text: bodyOf(source.text, section), line: firstTextLine(lines, section) };
  for (const [index, line] of lines.slice(0, HEAD_LINES).entries()) {
    const [, text] = STATUS_LINE.exec(line.slice(0, 500)) ?? [];
    if (text !== undefined && text !== '') return { text, line: index + 1 };
  }
  return { text: '', line: 1 };
}

function bodyOf(text: string, section: Section): string {
  return blankComments(text.slice(section.start, Math.min(section.end, section.start + MAX_STATUS)))
    .replace(/^.*\n(?:(?:=+|-+)[ \t]*\r?\n)?/, '')
    .trim();
}

function firstTextLine(lines: readonly string[], section: Section): number {
  for (let line = section.line + 1; line <= lines.length; line += 1) {
    if (/[\p{L}\p{N}]/u.test(lines[line - 1] ?? '')) return line;
  }
  return section.line;
}

function linksOf(source: AdrSource, lines: readonly string[], status: FoundStatus): readonly AdrLink[] {
  const declared = Object.entries(source.frontMatter).flatMap(([key, value]) =>
    linksOfKey(key, value, lineOfKey(lines, key)),
  );
  const inStatus = status.text
    .split(/\r?\n/)
    .flatMap((line, index) => linksInLine(line, status.line + index));
  const elsewhere = lines
    .flatMap((line, index) => (LINK_LINE.test(line.slice(0, 200)) ? [{ line, at: index + 1 }] : []))
    .slice(0, MAX_LINKING_LINES)
    .flatMap(({ line, at }) => linksInLine(line, at));
  const seen = new Set<string>();
  return [...declared, ...inStatus, ...elsewhere].filter(({ kind, target }) => {
    const key = `${kind} ${target}`;
    return seen.has(key) ? false : seen.add(key).has(key);
  });
}

function lineOfKey(lines: readonly string[], key: string): number {
  const at = lines.slice(0, HEAD_LINES).findIndex((line) => line.trimStart().startsWith(`${key}:`));
  return at === -1 ? 1 : at + 1;
}

function numberOf({ path, title }: AdrSource): number | undefined {
  const name = documentName(path);
  const [, inName] = /^(?:(?:adr|kep|rfc|madr)[-_ ]?)?(\d{1,6})(?!\d)/i.exec(name) ?? [];
  const [, inTitle] = /^(?:adr|kep|rfc)?[-_ #]*(\d{1,6})(?!\d)\s*[.:)—–-]/i.exec(title) ?? [];
  const digits = inName ?? inTitle;
  return digits === undefined ? undefined : Number(digits);
}
