import type { AdrRecord } from './adr-record.js';
import { type AdrParts, partsOf } from './adr-sections.js';
import { SentenceReading } from './clause-polarity.js';
import { type Norm, normsIn } from './decision-norm.js';
import { optionsIn, roleWords } from './option-families.js';
import { type Quote, type QuotedSentence, quoteAt } from './quoted-sentence.js';
import { topicStems } from './topic-words.js';

export type Side = 'for' | 'against';

/** What a record says of one option: a known one by its name, any other by the stems of its words. */
export interface Stance {
  readonly name: string;
  readonly family?: string;
  readonly stems: readonly string[];
  readonly side: Side;
  readonly evidence: Quote;
  /** True where a sentence says it without naming a purpose. */
  readonly isGeneral?: boolean;
  /** What it is said of; nothing: of everything. */
  readonly scope: ReadonlySet<string>;
}

export interface AdrPosition {
  readonly record: AdrRecord;
  readonly stances: readonly Stance[];
  readonly norms: readonly Norm[];
  /** The sentence that tells best what was decided. */
  readonly decision: Quote;
  /** What it speaks about in its title and its decision. */
  readonly topic: ReadonlySet<string>;
  /** What else it speaks about: why it had to be decided. */
  readonly background: ReadonlySet<string>;
}

const EVERYWHERE =
  /\b(?:all|every|everything|any|default|standard|standardi[sz]e|primary|main|only|everywhere|single|whole|entire|company|organi[sz]ation|across|always|alle|jede[rs]?|tous|toutes|todos|todas)\b/i;
const MAX_LABEL = 300;
const CHOSEN = /chosen (?:option|alternative)\W{0,20}(?:is|was)?\W{0,20}([^"”*`,.\n—(]{2,100})/i;
const TELLING =
  /\b(?:must|shall|always|only|every|all|required?|mandatory|will|has to|have to|needs? to|never)\b/i;
const REASON = /\b(?:because|since|as it|due to|which|so that|in order to|to achieve)\b/i;
/** What a title does is not what it is about. */
const OPENING_VERB =
  /^(?:delegate|deploy|host|choose|use|adopt|represent|split|manage|handle|centrali[sz]e|standardi[sz]e|enforce|implement|provide|treat|prefer|avoid|record|store|keep|move|migrate|introduce|replace|select|run|build|write|publish|send|expose|access|separate|isolate|limit|require|document|generate|define|serve|render|log|monitor|track|encrypt|validate|version)\s/i;
const PURPOSE =
  /(?<!\b(?:such|decided|opted|settled|went|voted) )\b(?:for|as)\s+(?:the |a |an |our )?([^,.;]+)/i;
/** A name that is no known option: capital letters within the sentence. */
const NAMED =
  /(?<=[\p{Ll},)"”] )(?:\p{Lu}[\p{L}\p{N}.+#-]*[\p{L}\p{N}+#])(?: \p{Lu}[\p{L}\p{N}.+#-]*[\p{L}\p{N}+#])*/gu;

export function positionOf(record: AdrRecord): AdrPosition {
  const parts = partsOf(record);
  const { deciding, title } = parts;
  const { text } = record.source;
  const stances = dedupe([
    ...deciding.flatMap((sentence) => stancesIn(record, sentence)),
    ...(title === undefined ? [] : stancesIn(record, title)),
    ...optionStances(record, parts),
  ]);
  const telling = deciding.find(
    (sentence) => optionsIn(sentence.text).length > 0 || TELLING.test(sentence.text),
  );
  const decision = telling ?? deciding[0] ?? title ?? { text: '', start: 0 };
  const sentences = [...deciding, ...(title === undefined ? [] : [title]), ...parts.ordering];
  return {
    record,
    stances,
    norms: normsIn(text, sentences, record.title),
    decision: quoteAt(text, decision),
    topic: topicStems(`${record.title} ${deciding.map((sentence) => sentence.text).join(' ')}`),
    background: topicStems(parts.background),
  };
}

interface NamedOption {
  readonly name: string;
  readonly family?: string;
  readonly stems: readonly string[];
  readonly from: number;
  readonly to: number;
}

function namedIn(text: string): readonly NamedOption[] {
  const known = optionsIn(text).map((option) => ({ ...option, stems: [] }));
  const others = [...text.matchAll(NAMED)].flatMap((match) => {
    const from = match.index;
    const to = from + match[0].length;
    const stems = [...topicStems(match[0])];
    const isKnown = known.some((option) => option.from < to && from < option.to);
    return isKnown || stems.length === 0 ? [] : [{ name: match[0], stems, from, to }];
  });
  return [...known, ...others];
}

function stancesIn(record: AdrRecord, sentence: QuotedSentence): readonly Stance[] {
  const mentions = namedIn(sentence.text);
  if (mentions.length === 0) return [];
  const reading = new SentenceReading(sentence.text);
  const known = mentions
    .filter(({ family }) => family !== undefined)
    .map(({ from }) => reading.clauseOf(from));
  return mentions.flatMap(({ name, family, stems, from, to }) => {
    const polarity = reading.ofOption(from, to);
    const alone = known.filter((clause) => clause === reading.clauseOf(from)).length === 1;
    const side = polarity === 'neutral' && family !== undefined && alone ? 'for' : polarity;
    if (side !== 'for' && side !== 'against') return [];
    const evidence = quoteAt(record.source.text, sentence, from);
    const scope =
      family === undefined ? restOf(sentence.text, stems) : scopeOf(record, sentence.text, family);
    const isGeneral = !PURPOSE.test(sentence.text);
    return [{ name, ...(family !== undefined && { family }), stems, side, isGeneral, evidence, scope }];
  });
}

/** A name that nobody knows is meant only together with what else the sentence speaks of. */
function restOf(sentence: string, stems: readonly string[]): ReadonlySet<string> {
  return new Set([...topicStems(sentence)].filter((word) => !stems.includes(word)));
}

function scopeOf({ title }: AdrRecord, sentence: string, family: string | undefined): ReadonlySet<string> {
  const [said = ''] = sentence.split(REASON);
  if (EVERYWHERE.test(title) || EVERYWHERE.test(said)) return new Set();
  const [tail = ''] = (PURPOSE.exec(said)?.[1] ?? '').split(/\s(?:the|we|is|are|will|must)\s/i);
  const roles = roleWords(family);
  const options = new Set([...namedIn(title), ...namedIn(tail)].flatMap(({ name }) => [...topicStems(name)]));
  return new Set(
    // Production is where everything is meant for.
    [...topicStems(`${title.replace(OPENING_VERB, '')} ${tail}`)].filter(
      (word) => word !== 'prod' && !/^\d+$/.test(word) && !options.has(word) && !roles.has(word),
    ),
  );
}

/** Of the options that were considered, those that were not chosen. */
function optionStances(record: AdrRecord, { options }: AdrParts): readonly Stance[] {
  const chosen = CHOSEN.exec(record.source.text)?.[1];
  return options.flatMap(({ item, turnedDown }) =>
    chosen === undefined && !turnedDown ? [] : optionStance(record, item, chosen),
  );
}

function optionStance(
  record: AdrRecord,
  item: QuotedSentence,
  chosen: string | undefined,
): readonly Stance[] {
  const [label = ''] = item.text
    .slice(0, MAX_LABEL)
    .replace(/^\W*option\s*\w{1,2}\s*[:.)—-]\s*/i, '')
    .replace(/\[([^\][]*)\]\([^()]*\)/g, '$1')
    .split(/\s+[—–-]\s+|[:(,;]|\.\s|\b(?:because|was|were|is|are)\b/);
  const wanted = topicStems(chosen ?? record.title);
  const names = new Set(optionsIn(chosen ?? record.title).map(({ name }) => name));
  const evidence = quoteAt(record.source.text, item);
  const known = optionsIn(label).filter(({ name }) => !names.has(name));
  if (known.length > 0) {
    return known.map(({ name, family }) => {
      return { name, family, stems: [], side: 'against', evidence, scope: scopeOf(record, '', family) };
    });
  }
  const stems = [...topicStems(label)].filter((word) => !wanted.has(word));
  if (stems.length === 0 || stems.length > 5 || optionsIn(label).length > 0) return [];
  const scope = scopeOf(record, '', optionsIn(chosen ?? '')[0]?.family);
  return [{ name: label.replace(/[*_`]/g, '').trim(), stems, side: 'against', evidence, scope }];
}

/** What is said first counts: the decision before the title, the title before the list of options. */
function dedupe(stances: readonly Stance[]): readonly Stance[] {
  const known = new Map<string, Stance>();
  for (const stance of stances) if (!known.has(stance.name)) known.set(stance.name, stance);
  return [...known.values()];
}
