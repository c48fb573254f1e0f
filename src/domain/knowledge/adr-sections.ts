import type { AdrRecord } from './adr-record.js';
import type { Section } from './document-outline.js';
import { type QuotedSentence, sentencesBetween } from './quoted-sentence.js';

/** The parts of a record that an answer rests on, whichever dialect it is written in. */
export interface AdrParts {
  /** What was decided, sentence by sentence. */
  readonly deciding: readonly QuotedSentence[];
  /** What else the record orders, as in its consequences. */
  readonly ordering: readonly QuotedSentence[];
  /** Why it had to be decided. */
  readonly background: string;
  /** Items and headings that name the options, with whether their place says that they were turned down. */
  readonly options: readonly { readonly item: QuotedSentence; readonly turnedDown: boolean }[];
  readonly title: QuotedSentence | undefined;
}

const DECISION =
  /decision(?! drivers?)|outcome|resolution|we (?:will|do|decided|chose)|solution|proposal|summary|conclusion|\bpolicy\b|\brules?\b|\bwhat we do\b|entscheidung|beschluss|d[ée]cision|decisi[oó]n|decis[aã]o|decisione|besluit|decyzja|решение|決定|决定|決策|결정/iu;
const OPTIONS =
  /\boptions\b|alternative|considered|looked at|candidates|alternativas|варианты|选项|選択肢|optionen/iu;
const TURNED_DOWN =
  /reject|alternative|discarded|dismissed|(?:not|didn't|did not|n't) (?:chosen|choose|take|taken|pick|picked|select)|why not|verworfen|abgelehnt|alternativas/iu;
const BACKGROUND =
  /context|problem|motivation|background|\bwhy\b(?! not)|driver|situation|issue|kontext|hintergrund|ausgangslage|contexte|contexto|contesto|контекст|背景/iu;
const NOT_DECISION =
  /driver|context|consider|consequence|pros and cons|more information|confirmation|goals?\b|drawback|risk|test plan|graduation|background|motivation|problem|status|references|links?\b|notes\b|history|appendix|konsequenz|cons[ée]quence|why\b|glossary|changelog/iu;
const METADATA =
  /^\W*(?:status|state|date|deciders?|decision[- ]makers?|tags?|authors?|owners?|technical story|supersedes|superseded by|informed|consulted|review(?:er|ed by)|last (?:updated|modified)|ticket|issue|datum|autor(?:en)?)\W*[:|]/iu;

const CONSEQUENCES = /consequence|implication|konsequenz|cons[ée]quence|confirmation|compliance/iu;
const ORDERS = /\b(?:must|shall|never|may not|not allowed|forbidden|prohibited)\b/i;

export function partsOf(record: AdrRecord): AdrParts {
  const { text, outline } = record.source;
  const sections = outline.sections;
  return {
    deciding: decisionSections(sections)
      .flatMap((section) => bodySentences(text, section))
      .filter((sentence) => !METADATA.test(sentence.text) || /chosen/i.test(sentence.text)),
    ordering: sections
      .filter(({ path }) => CONSEQUENCES.test(path.at(-1) ?? ''))
      .flatMap((section) => bodySentences(text, section))
      .filter((sentence) => ORDERS.test(sentence.text)),
    background: sections
      .filter(({ path }) => path.slice(1).some((heading) => BACKGROUND.test(heading)))
      .map(({ start, end }) => text.slice(start, end))
      .join('\n'),
    options: sections.flatMap((section) => optionItems(text, section)),
    title: titleSentence(record),
  };
}

function decisionSections(sections: readonly Section[]): readonly Section[] {
  const named = sections.filter(
    ({ path, level }) =>
      level > 1 &&
      path.slice(1).some((heading) => DECISION.test(heading) && !isOptions(heading)) &&
      !isOther(path),
  );
  if (named.length > 0) return named;
  // A record without such a heading decides wherever it does nothing else.
  return sections.filter(({ path, level }) => level <= 1 || !isOther(path));
}

function isOther(path: readonly string[]): boolean {
  return path.slice(1).some((heading) => NOT_DECISION.test(heading) || isOptions(heading));
}

function isOptions(heading: string): boolean {
  return OPTIONS.test(heading) || TURNED_DOWN.test(heading);
}

/** The heading's own line is no part of what is said below it. */
function bodySentences(text: string, { start, end, level }: Section): readonly QuotedSentence[] {
  const newline = text.indexOf('\n', start);
  const from = level === 0 ? start : newline + 1;
  if ((level > 0 && newline === -1) || from >= end) return [];
  const underline = /^ {0,3}(?:=+|-+)[ \t]*\r?\n/.exec(text.slice(from, from + 500))?.[0].length ?? 0;
  return sentencesBetween(text, from + underline, end);
}

function optionItems(text: string, section: Section): AdrParts['options'] {
  const above = section.path.slice(1);
  if (!above.some(isOptions)) return [];
  const turnedDown = above.some((heading) => TURNED_DOWN.test(heading));
  if (above.length > 1 && !isOptions(section.heading)) {
    const start = text.indexOf(section.heading, section.start);
    return start === -1 ? [] : [{ item: { text: section.heading, start }, turnedDown }];
  }
  const sentences = bodySentences(text, section);
  const items = sentences.filter(({ start }) => isListItem(text, start));
  return (items.length > 0 || !turnedDown ? items : sentences).map((item) => ({ item, turnedDown }));
}

function isListItem(text: string, start: number): boolean {
  return /(?:^|\n)\s*(?:[-*+]|\d+[.)])\s+$/.test(text.slice(Math.max(0, start - 12), start));
}

function titleSentence({ source, title }: AdrRecord): QuotedSentence | undefined {
  const at = source.text.indexOf(title);
  return at === -1 || title === '' ? undefined : { text: title, start: at };
}
