import type { Section } from '../document/document-outline.js';
import type { AdrRecord } from './adr-record.js';
import { sentencesBetween as allSentences, type QuotedSentence } from './quoted-sentence.js';

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
  /driver|context|issue|assumption|constraint|argument|position|consider|consequence|pros and cons|more information|confirmation|goals?\b|drawback|risk|test plan|graduation|background|motivation|problem|status|references|links?\b|notes\b|history|appendix|konsequenz|cons[ée]quence|why\b|glossary|changelog/iu;
const METADATA =
  /^\W*(?:status|state|date|deciders?|decision[- ]makers?|tags?|authors?|owners?|technical story|supersedes|superseded by|informed|consulted|review(?:er|ed by)|last (?:updated|modified)|ticket|issue|datum|autor(?:en)?)\W*[:|]/iu;

const CONSEQUENCES = /consequence|implication|konsequenz|cons[ée]quence|confirmation|compliance/iu;
const ORDERS = /\b(?:must|shall|never|may not|not allowed|forbidden|prohibited)\b/i;

/** A word or two in bold letters at the beginning of a line. */
const LABEL =
  /^[ \t]*(?:[-*+][ \t]+)?(?:\*\*|__)(?:<u>)?([^*_<>:\n]{2,40}):?(?:<\/u>)?:?(?:\*\*|__)[ \t]*:?/gm;

/** A stretch of text under its headings, without the title of the record. */
interface Part {
  readonly heading: string;
  readonly above: readonly string[];
  readonly from: number;
  readonly to: number;
}

/** A record is a page or two; what is longer is read as far as this. */
const MAX_CHARACTERS = 128 * 1024;
const MAX_SENTENCES = 400;
const MAX_SENTENCE = 2000;

export function partsOf(record: AdrRecord): AdrParts {
  const { text, outline } = record.source;
  const [title] = outline.sections.filter(({ level }) => level > 0);
  const parts = outline.sections
    .filter(({ start }) => start < MAX_CHARACTERS)
    .flatMap((section) => labelled(text, partOf(text, section, title)));
  return {
    deciding: decisionParts(parts)
      .flatMap(({ from, to }) => sentencesBetween(text, from, to))
      .filter((sentence) => !METADATA.test(sentence.text))
      .slice(0, MAX_SENTENCES),
    ordering: parts
      .filter(({ heading }) => CONSEQUENCES.test(heading))
      .flatMap(({ from, to }) => sentencesBetween(text, from, to))
      .filter((sentence) => ORDERS.test(sentence.text))
      .slice(0, MAX_SENTENCES),
    background: parts
      .filter(({ above }) => above.some((heading) => BACKGROUND.test(heading)))
      .map(({ from, to }) => text.slice(from, to))
      .join('\n')
      .slice(0, MAX_CHARACTERS),
    options: parts.flatMap((part) => optionItems(text, part)).slice(0, MAX_SENTENCES),
    title: titleSentence(record),
  };
}

function sentencesBetween(text: string, from: number, to: number): readonly QuotedSentence[] {
  return allSentences(text, from, Math.min(to, from + MAX_CHARACTERS)).map((sentence) =>
    sentence.text.length > MAX_SENTENCE
      ? { ...sentence, text: sentence.text.slice(0, MAX_SENTENCE) }
      : sentence,
  );
}

/** The heading's own line is no part of what is said below it. */
function partOf(
  text: string,
  { heading, path, level, start, end }: Section,
  title: Section | undefined,
): Part {
  const above = title !== undefined && path[0] === title.heading ? path.slice(1) : path;
  if (level === 0) return { heading, above, from: start, to: end };
  const newline = text.indexOf('\n', start);
  const from = newline === -1 ? end : Math.min(newline + 1, end);
  const underline = /^ {0,3}(?:=+|-+)[ \t]*(?:\r?\n|$)/.exec(text.slice(from, from + 500))?.[0].length ?? 0;
  return { heading, above, from: from + underline, to: end };
}

/** "**Decision:** …" is a heading to whoever writes it. */
function labelled(text: string, part: Part): readonly Part[] {
  const labels = [...text.slice(part.from, part.to).matchAll(LABEL)].filter(([, label = '']) =>
    isHeading(label),
  );
  const [first] = labels;
  if (first === undefined) return [part];
  const inside = labels.map((found, index) => {
    const [whole, heading = ''] = found;
    const to = labels[index + 1]?.index;
    return {
      heading,
      above: [...part.above, heading],
      from: part.from + found.index + whole.length,
      to: to === undefined ? part.to : part.from + to,
    };
  });
  return [{ ...part, to: part.from + first.index }, ...inside];
}

function isHeading(label: string): boolean {
  return [DECISION, OPTIONS, TURNED_DOWN, BACKGROUND, CONSEQUENCES].some((kind) => kind.test(label));
}

function decisionParts(parts: readonly Part[]): readonly Part[] {
  const named = parts.filter(
    ({ above }) => above.some((heading) => DECISION.test(heading) && !isOptions(heading)) && !isOther(above),
  );
  // A record without such a heading decides wherever it does nothing else.
  return named.length > 0 ? named : parts.filter(({ above }) => !isOther(above));
}

function isOther(above: readonly string[]): boolean {
  return above.some((heading) => NOT_DECISION.test(heading) || isOptions(heading));
}

function isOptions(heading: string): boolean {
  return OPTIONS.test(heading) || TURNED_DOWN.test(heading);
}

function optionItems(text: string, { heading, above, from, to }: Part): AdrParts['options'] {
  if (!above.some(isOptions)) return [];
  const turnedDown = above.some((each) => TURNED_DOWN.test(each));
  if (above.length > 1 && !isOptions(heading)) {
    const start = text.lastIndexOf(heading, from);
    return start === -1 ? [] : [{ item: { text: heading, start }, turnedDown }];
  }
  const sentences = sentencesBetween(text, from, to);
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
