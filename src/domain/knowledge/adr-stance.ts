import type { AdrRecord } from './adr-record.js';
import { type Polarity, polarityAt } from './clause-polarity.js';
import type { Section } from './document-outline.js';
import { optionsIn } from './option-families.js';
import { type Quote, type QuotedSentence, quoteAt, sentencesBetween } from './quoted-sentence.js';
import { topicStems } from './topic-words.js';

/** What a record says of one option: a known one by its name, any other by the stems of its words. */
export interface Stance {
  readonly name: string;
  readonly family?: string;
  readonly stems: readonly string[];
  readonly side: Exclude<Polarity, 'neutral'>;
  readonly evidence: Quote;
  /** Nothing: it is said of everything. */
  readonly scope: ReadonlySet<string>;
}

/** A sentence that commands or forbids. */
export interface Commandment {
  readonly side: Exclude<Polarity, 'neutral'>;
  readonly stems: ReadonlySet<string>;
  readonly evidence: Quote;
}

export interface AdrPosition {
  readonly record: AdrRecord;
  readonly stances: readonly Stance[];
  readonly commandments: readonly Commandment[];
  /** The sentence that tells best what was decided. */
  readonly decision: Quote;
  readonly topic: ReadonlySet<string>;
}

const DECISION =
  /decision(?! drivers?)|outcome|resolution|we will|solution|entscheidung|d[ée]cision|decisi[oó]n|decis[aã]o|decisione|besluit|decyzja|решение|決定|决定|決策|결정/iu;
const NOT_DECISION = /driver|context|consider|consequence|pros and cons|more information|confirmation/i;
const OPTIONS = /options|alternatives|alternativen|alternativas|варианты|选项|選択肢/iu;
const TURNED_DOWN = /reject|alternatives|discarded|not chosen|alternativen|alternativas/iu;
const EVERYWHERE =
  /\b(?:all|every|everything|any|default|standard|standardi[sz]e|primary|main|only|everywhere|single|whole|entire|company|organi[sz]ation|across|always|alle|jede[rs]?|tous|toutes|todos|todas)\b/i;
const CHOSEN = /chosen (?:option|alternative)\W*(?:is|was|:)?\W*([^"”*`,.\n—(]{2,100})/i;
const FORBIDS =
  /\b(?:must not|mustn't|shall not|may not|should not|shouldn't|cannot|can't|can not|will not|won't|do not|don't|does not|are not|is not|never|no longer|forbid\w*|prohibit\w*|not allowed|disallow\w*|avoid|ban(?:s|ned)?|no)\b/i;
const COMMANDS =
  /\b(?:must|shall|always|only|every|all|required?|mandatory|will|has to|have to|needs? to)\b/i;

export function positionOf(record: AdrRecord): AdrPosition {
  const { text, outline } = record.source;
  const deciding = decisionSections(outline.sections).flatMap(({ start, end }) =>
    bodySentences(text, start, end),
  );
  const title = titleSentence(record);
  const stances = dedupe([
    ...deciding.flatMap((sentence) => stancesIn(record, sentence)),
    ...(title === undefined ? [] : stancesIn(record, title)),
    ...optionStances(record),
  ]);
  const telling = deciding.find(
    (sentence) => optionsIn(sentence.text).length > 0 || COMMANDS.test(sentence.text),
  );
  const decision = telling ?? deciding[0] ?? title ?? { text: '', start: 0 };
  return {
    record,
    stances,
    commandments: deciding.flatMap((sentence) => commandmentIn(text, sentence)),
    decision: quoteAt(text, decision),
    topic: topicStems(`${record.title} ${deciding.map((sentence) => sentence.text).join(' ')}`),
  };
}

/** The heading's own line is no part of what is said below it. */
function bodySentences(text: string, start: number, end: number): readonly QuotedSentence[] {
  const newline = text.indexOf('\n', start);
  return newline === -1 ? [] : sentencesBetween(text, newline + 1, end);
}

function decisionSections(sections: readonly Section[]): readonly Section[] {
  const named = sections.filter(
    ({ path, level }) =>
      level > 1 &&
      path.slice(1).some((heading) => DECISION.test(heading)) &&
      !path.slice(1).some((heading) => NOT_DECISION.test(heading) || OPTIONS.test(heading)),
  );
  return named.length > 0 ? named : sections.filter(({ level }) => level <= 1);
}

function titleSentence({ source, title }: AdrRecord): QuotedSentence | undefined {
  const at = source.text.indexOf(title);
  return at === -1 || title === '' ? undefined : { text: title, start: at };
}

function stancesIn(record: AdrRecord, sentence: QuotedSentence): readonly Stance[] {
  const mentions = optionsIn(sentence.text);
  return mentions.flatMap(({ name, family, from, to }) => {
    const polarity = polarityAt(sentence.text, from, to);
    const side = polarity === 'neutral' && mentions.length === 1 ? 'for' : polarity;
    if (side === 'neutral') return [];
    const evidence = quoteAt(record.source.text, sentence, from);
    return [{ name, family, stems: [], side, evidence, scope: scopeOf(record, sentence.text) }];
  });
}

function scopeOf({ title }: AdrRecord, sentence: string): ReadonlySet<string> {
  const [said = ''] = sentence.split(/\b(?:because|since|as it|due to|which|so that)\b/i);
  if (EVERYWHERE.test(title) || EVERYWHERE.test(said)) return new Set();
  const tail = /\b(?:for|as)\s+([^,.;]+)/i.exec(said)?.[1] ?? '';
  const options = new Set(
    [...optionsIn(title), ...optionsIn(tail)].flatMap(({ name }) => [...topicStems(name)]),
  );
  return new Set([...topicStems(`${title} ${tail}`)].filter((word) => !options.has(word)));
}

/** Of the options that were considered, those that were not chosen. */
function optionStances(record: AdrRecord): readonly Stance[] {
  const { text, outline } = record.source;
  const chosen = CHOSEN.exec(text)?.[1];
  return outline.sections.flatMap((section) => {
    const above = section.path.slice(1);
    if (!above.some((heading) => OPTIONS.test(heading) || TURNED_DOWN.test(heading))) return [];
    if (chosen === undefined && !above.some((heading) => TURNED_DOWN.test(heading))) return [];
    const isOption = above.length > 1 && !OPTIONS.test(section.heading);
    const listed = isOption
      ? [{ text: section.heading, start: text.indexOf(section.heading, section.start) }]
      : sentencesBetween(text, section.start, section.end).filter(({ start }) => isListItem(text, start));
    return listed.flatMap((item) => optionStance(record, item, chosen));
  });
}

function isListItem(text: string, start: number): boolean {
  return /(?:^|\n)\s*(?:[-*+]|\d+[.)])\s+$/.test(text.slice(Math.max(0, start - 12), start));
}

function optionStance(
  record: AdrRecord,
  item: QuotedSentence,
  chosen: string | undefined,
): readonly Stance[] {
  const [label = ''] = item.text
    .replace(/^\W*option\s*\w{1,2}\s*[:.)—-]\s*/i, '')
    .replace(/\[([^\][]*)\]\([^()]*\)/g, '$1')
    .split(/\s+[—–-]\s+|[:(,;]|\.\s|\bbecause\b/);
  const wanted = topicStems(chosen ?? record.title);
  const names = new Set(optionsIn(chosen ?? record.title).map(({ name }) => name));
  const evidence = quoteAt(record.source.text, item);
  const scope = scopeOf(record, '');
  const known = optionsIn(label).filter(({ name }) => !names.has(name));
  if (known.length > 0) {
    return known.map(({ name, family }) => ({ name, family, stems: [], side: 'against', evidence, scope }));
  }
  const stems = [...topicStems(label)].filter((word) => !wanted.has(word));
  if (stems.length === 0 || stems.length > 5 || optionsIn(label).length > 0) return [];
  return [{ name: label.replace(/[*_`]/g, '').trim(), stems, side: 'against', evidence, scope }];
}

function commandmentIn(file: string, sentence: QuotedSentence): readonly Commandment[] {
  const stems = topicStems(sentence.text);
  if (stems.size < 2 || stems.size > 14) return [];
  const forbids = FORBIDS.exec(sentence.text);
  if (forbids !== null) {
    const forbidden = topicStems(sentence.text.slice(forbids.index + forbids[0].length));
    const all = forbidden.size >= 2 ? forbidden : stems;
    return [{ side: 'against', stems: all, evidence: quoteAt(file, sentence, forbids.index) }];
  }
  if (!COMMANDS.test(sentence.text)) return [];
  return [{ side: 'for', stems, evidence: quoteAt(file, sentence) }];
}

/** What is said first counts: the decision before the title, the title before the list of options. */
function dedupe(stances: readonly Stance[]): readonly Stance[] {
  const known = new Map<string, Stance>();
  for (const stance of stances) if (!known.has(stance.name)) known.set(stance.name, stance);
  return [...known.values()];
}
