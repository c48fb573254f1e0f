import type { Section } from '../document/document-outline.js';
import { titleSection } from '../document/document-title.js';
import type { AdrRecord } from './adr-record.js';
import { sentencesBetween as allSentences, type QuotedSentence } from './quoted-sentence.js';

/** A part of the file under one heading. */
export interface DecisionSection {
  readonly text: string;
  readonly line: number;
  readonly anchor: string;
}

/** The parts of an ADR that a result is based on, in whichever format it is written. */
export interface DecisionParts {
  /** The decision, complete and as written in the file. */
  readonly section: DecisionSection;
  /** The decision, sentence by sentence. */
  readonly deciding: readonly QuotedSentence[];
  /** Names of options: list items and headings below a heading about options. */
  readonly options: readonly OptionItem[];
  readonly title?: QuotedSentence;
}

export interface OptionItem {
  readonly item: QuotedSentence;
  /** True if the heading says that everything below it was rejected. */
  readonly isRejected: boolean;
}

const DECISION =
  /\bdecisions?\b(?! (?:drivers?|makers?))|outcome|resolution|we (?:will|do|decided|chose)|\bsolution|\bproposal|conclusion|\bpolicy\b|\brules?\b|\bwhat we do\b|entscheidung|beschluss|d[ée]cision|decisi[oó]n|decis[aã]o|decisione|besluit|decyzja|решение|決定|决定|決策|결정/iu;
/** Headings used if no heading names the decision: RFCs and plain notes. */
const SECOND_CHOICE =
  /^(?:\d+[.)]?\s*)?(?:tl;?dr|summary|abstract|specification|detailed design|design|guide-level explanation|overview|approach)\b/i;
/** A heading of the decision in short, above a longer proposal. */
const SUMMARY = /^(?:\d+[.)]?\s*)?(?:tl;?dr|summary|abstract|in short)\b/i;
const OPTIONS =
  /\boptions\b|alternative|considered|looked at|candidates|alternativas|варианты|选项|選択肢|optionen/iu;
const REJECTED =
  /reject|alternative|discarded|dismissed|(?:not|didn't|did not|n't) (?:chosen|choose|take|taken|pick|picked|select)|why not|verworfen|abgelehnt|alternativas/iu;
const NOT_DECISION =
  /drivers?\b|context|issue|assumption|constraint|argument|position|consider|consequence|pros and cons|more information|confirmation|goals?\b|drawback|risk|test plan|graduation|background|motivation|problem|status|references|links?\b|notes\b|history|appendix|konsequenz|cons[ée]quence|why\b|glossary|changelog|prior art|unresolved|future|user stories|\bstory\b|table of contents/iu;
const METADATA =
  /^\W*(?:status|state|date|deciders?|decision[- ]makers?|tags?|authors?|owners?|technical story|supersedes|superseded by|informed|consulted|review(?:er|ed by)|last (?:updated|modified)|ticket|issue|datum|autor(?:en)?|(?:feature name|start date|rfc pr|tracking issue))\W*[:|]/iu;
/** One or two bold words at the start of a line are used as a heading. */
const LABEL =
  /^[ \t]*(?:[-*+][ \t]+)?(?:\*\*|__)(?:<u>)?([^*_<>:\n]{2,40}):?(?:<\/u>)?:?(?:\*\*|__)[ \t]*:?/gm;

interface Part {
  readonly heading: string;
  readonly above: readonly string[];
  readonly from: number;
  readonly to: number;
  readonly section: Section;
}

/** An ADR is a page or two; longer ones are read up to this length. */
const MAX_CHARACTERS = 128 * 1024;
const MAX_SENTENCES = 300;
const MAX_SENTENCE = 2000;

export function decisionParts(record: AdrRecord): DecisionParts {
  const { text, outline } = record.source;
  const title = titleSection(outline.sections);
  const parts = outline.sections
    .filter(({ start }) => start < MAX_CHARACTERS)
    .flatMap((section) => labelled(text, partOf(text, section, title)));
  const deciding = decidingParts(parts);
  const stating = [...parts.filter(({ heading }) => SUMMARY.test(heading)), ...deciding];
  const sentence = titleSentence(record);
  return {
    section: sectionOf(text, deciding, title),
    deciding: [...new Set(stating)]
      .flatMap(({ from, to }) => sentencesBetween(text, from, to))
      .filter((each) => !METADATA.test(each.text))
      .slice(0, MAX_SENTENCES),
    options: parts.flatMap((part) => optionItems(text, part)).slice(0, MAX_SENTENCES),
    ...(sentence && { title: sentence }),
  };
}

/** From the first deciding heading to the end of its content. */
function sectionOf(text: string, deciding: readonly Part[], title: Section | undefined): DecisionSection {
  const [first] = deciding;
  if (first === undefined) {
    return {
      text: text.slice(title?.start ?? 0).trim(),
      line: title?.line ?? 1,
      anchor: title?.anchor ?? '',
    };
  }
  let end = first.to;
  for (const { from, to, section } of deciding.slice(1)) {
    if (section !== first.section && section.start > end) break;
    end = Math.max(end, to, from);
  }
  const { line, anchor } = first.section;
  const start =
    first.from - first.section.start > 400 ? first.from : Math.min(first.from, first.section.start);
  return { text: text.slice(start, end).trim(), line, anchor };
}

function sentencesBetween(text: string, from: number, to: number): readonly QuotedSentence[] {
  return allSentences(text, from, Math.min(to, from + MAX_CHARACTERS)).filter(
    (sentence) => sentence.text.length <= MAX_SENTENCE,
  );
}

/** The heading's own line is not part of its content. */
function partOf(text: string, section: Section, title: Section | undefined): Part {
  const { heading, path, level, start, end } = section;
  const above = title !== undefined && path[0] === title.heading ? path.slice(1) : path;
  if (level === 0) return { heading, above, from: start, to: end, section };
  const newline = text.indexOf('\n', start);
  const from = newline === -1 ? end : Math.min(newline + 1, end);
  const underline = /^ {0,3}(?:=+|-+)[ \t]*(?:\r?\n|$)/.exec(text.slice(from, from + 500))?.[0].length ?? 0;
  return { heading, above, from: from + underline, to: end, section };
}

function labelled(text: string, part: Part): readonly Part[] {
  const labels = [...text.slice(part.from, part.to).matchAll(LABEL)].filter(([, label = '']) =>
    [DECISION, OPTIONS, REJECTED, NOT_DECISION].some((kind) => kind.test(label)),
  );
  const [first] = labels;
  if (first === undefined) return [part];
  const inside = labels.map((found, index) => {
    const [whole, heading = ''] = found;
    const to = labels[index + 1]?.index;
    return {
      ...part,
      heading,
      above: [...part.above, heading],
      from: part.from + found.index + whole.length,
      to: to === undefined ? part.to : part.from + to,
    };
  });
  return [{ ...part, to: part.from + first.index }, ...inside];
}

function decidingParts(parts: readonly Part[]): readonly Part[] {
  const under = (wanted: RegExp) =>
    parts.filter(
      ({ above }) => above.some((heading) => wanted.test(heading) && !isOptions(heading)) && !isOther(above),
    );
  const named = under(DECISION);
  const found = named.length > 0 ? named : under(SECOND_CHOICE);
  // An ADR without such a heading decides in all parts that do nothing else.
  return found.length > 0 ? found : parts.filter(({ above }) => !isOther(above));
}

function isOther(above: readonly string[]): boolean {
  return above.some((heading) => NOT_DECISION.test(heading) || isOptions(heading));
}

function isOptions(heading: string): boolean {
  return OPTIONS.test(heading) || REJECTED.test(heading);
}

function optionItems(text: string, { heading, above, from, to }: Part): readonly OptionItem[] {
  if (!above.some(isOptions)) return [];
  const isRejected = above.some((each) => REJECTED.test(each));
  if (above.length > 1 && !isOptions(heading)) {
    const start = text.lastIndexOf(heading, from);
    return start === -1 ? [] : [{ item: { text: heading, start }, isRejected }];
  }
  const sentences = sentencesBetween(text, from, to);
  const items = sentences.filter(({ start }) => isListItem(text, start));
  return (items.length > 0 || !isRejected ? items : sentences).map((item) => ({ item, isRejected }));
}

function isListItem(text: string, start: number): boolean {
  return /(?:^|\n)\s*(?:[-*+]|\d+[.)])\s+$/.test(text.slice(Math.max(0, start - 12), start));
}

function titleSentence({ source, title }: AdrRecord): QuotedSentence | undefined {
  const at = title === '' ? -1 : source.text.indexOf(title);
  return at === -1 ? undefined : { text: title, start: at };
}
