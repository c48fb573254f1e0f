import type { AdrRecord } from './adr-record.js';
import { type Claim, claimsIn, isQuestion, namedOption } from './claim.js';
import { clausesOf } from './clauses.js';
import { type DecisionSection, decisionParts, type OptionItem, type ToldSentence } from './decision-parts.js';
import { namesIn } from './name-slot.js';
import { type Quote, type QuotedSentence, quoteOf } from './quoted-sentence.js';
import { phraseStems, topicStems } from './topic-words.js';

export interface RecordClaim extends Claim {
  readonly evidence: Quote;
  /** A clause that decides, the title, a named option, or a whole sentence in which something is passed over. */
  readonly source: 'sentence' | 'title' | 'option' | 'told' | 'background';
  /** Words of what the sentence exempts. */
  readonly exempt: ReadonlySet<string>;
}

/** What a record says, as far as a proposal can be held against it. */
export interface AdrPosition {
  readonly record: AdrRecord;
  readonly section: DecisionSection;
  /** The first sentence of the decision. */
  readonly lead: Quote;
  readonly claims: readonly RecordClaim[];
  /** Words of its title and its decision. */
  readonly topic: ReadonlySet<string>;
  /** Words of its title and of the option it chose. */
  readonly subject: ReadonlySet<string>;
  /** Words of all that it chooses, and of all that it rejects. */
  readonly chosen: ReadonlySet<string>;
  readonly rejected: ReadonlySet<string>;
  /** All its words. */
  readonly words: ReadonlySet<string>;
  /** Names in its title and its decision. */
  readonly names: ReadonlySet<string>;
  /** Words of each thing that it allows in spite of what it says. */
  readonly allowed: readonly ReadonlySet<string>[];
}

const CHOSEN =
  /chosen (?:option|alternative)s?\W{0,20}?(?:is|was)?[\s:*_]{0,20}(?:["“]([^"”\n]{2,200})["”]|\W{0,20}([^"”*,.\n—(]{2,100}))/i;
const MAX_LABEL = 200;
const MAX_TOLD = 600;
const MAX_READ = 32 * 1024;
const MAX_OPTION_STEMS = 6;
const SAME_OPTION = 0.6;
/** "We could use X" below the heading of the alternatives. */
const IMAGINED =
  /^(?:we (?:could|might)|one (?:option|alternative|could)|an(?:other)? (?:option|alternative|approach)[^.]{0,30}? (?:is|was|would be)(?: to)?|instead,? we could)\s+/i;
const EXCEPTION = /\b(?:except|unless|apart from|other than)\b/i;
const ALLOWANCE =
  /\b(?:(?:is|are|remains?) (?:(?:still|not) )?(?:allowed|permitted|fine|acceptable|affected|exempt)|exceptions?|(?:may|can) (?:still |also )?(?:stay|keep|remain|continue|be (?:used|written|kept|chosen)))\b/i;
/** Begins like a sentence and has a few words. */
const STATEMENT = /^\W*[\p{Lu}\p{N}`](?:\S*\s+){5}/u;
/** "Good, because …" in a list of pros and cons. */
const PRAISE = /^\W*(?:good|pros?|neutral|advantages?)\b/i;
const NOTHING: ReadonlySet<string> = new Set();
/** A sentence that decides against something, in whichever of its clauses. */
const REFUSES =
  /\b(?:not|never|no|nor|neither|nothing|nobody|none|cannot|only|instead|rather|banned|forbidden|\w+n['’]t)\b/i;

export function positionOf(record: AdrRecord): AdrPosition {
  const { section, deciding, options, told, title } = decisionParts(record);
  const { text } = record.source;
  const [, quoted, bare] = CHOSEN.exec(text) ?? [];
  const chosen = quoted ?? bare;
  const decided = [
    ...deciding.flatMap((sentence) => sentenceClaims(text, sentence, 'sentence')),
    ...(title === undefined ? [] : sentenceClaims(text, title, 'title')),
  ];
  const taken = decided.filter(({ side }) => side === 'takes');
  const names = namesIn([record.title, chosen ?? '', ...taken.map((claim) => claim.text)].join(' x '));
  const isChosen = choiceOf(chosen, taken);
  const refusing = deciding.filter(
    (sentence) =>
      REFUSES.test(clausesOf(sentence.text).join(' ')) &&
      (!ALLOWANCE.test(sentence.text) || /\b(?:not|never)\b/i.test(sentence.text)),
  );
  const rejected = [
    ...decided.filter(({ side }) => side === 'leaves'),
    ...optionClaims(text, options, chosen, isChosen),
  ];
  return {
    record,
    section,
    lead: quoteOf(text, deciding[0] ?? title ?? { text: '', start: 0 }),
    claims: [
      ...taken,
      ...rejected,
      ...refusing.flatMap((sentence) => wholeClaim(text, sentence, 'told')),
      ...told.flatMap((each) => toldClaims(text, each, isChosen)),
    ],
    topic: topicStems(`${record.title} ${deciding.map((sentence) => sentence.text).join(' ')}`),
    subject: phraseStems(`${record.title} ${chosen ?? ''}`),
    chosen: new Set(taken.filter(({ deed }) => deed === undefined).flatMap(({ stems }) => stems)),
    rejected: new Set(rejected.flatMap(({ stems }) => stems)),
    words: phraseStems(text.slice(0, MAX_READ)),
    names,
    allowed: deciding.flatMap(({ text: said }) => allowanceIn(said)),
  };
}

function sentenceClaims(
  text: string,
  sentence: QuotedSentence,
  source: RecordClaim['source'],
): readonly RecordClaim[] {
  if (isQuestion(sentence.text) || /\bnot affected\b/i.test(sentence.text)) return [];
  const evidence = quoteOf(text, sentence);
  const [rule = ''] = sentence.text.split(EXCEPTION);
  const exempt = exemptIn(sentence.text);
  const claims = claimsIn(rule).filter(({ side, isLack }) => side === 'takes' || isLack !== true);
  return claims.map((claim) => ({ ...claim, evidence, source, exempt }));
}

function allowanceIn(sentence: string): readonly ReadonlySet<string>[] {
  if (/\b(?:only|(?:is|are) not (?!affected))\b/i.test(sentence) || !ALLOWANCE.test(sentence)) return [];
  return [phraseStems(sentence.split(ALLOWANCE)[0] ?? '')];
}

function exemptIn(sentence: string): ReadonlySet<string> {
  const at = sentence.search(EXCEPTION);
  const allowed = sentence.split(/[;,]/).filter((part) => ALLOWANCE.test(part));
  return phraseStems(`${at === -1 ? '' : sentence.slice(at)} ${allowed.join(' ')}`);
}

/** What stands beside the option that was chosen passes nothing over. */
function toldClaims(
  text: string,
  { sentence, heading, isBackground }: ToldSentence,
  isChosen: (label: string) => boolean,
): readonly RecordClaim[] {
  if (PRAISE.test(sentence.text)) return [];
  if (!isBackground && (isChosen(heading) || isChosen(labelOf(sentence)))) return [];
  return wholeClaim(text, sentence, isBackground ? 'background' : 'told');
}

function wholeClaim(
  text: string,
  sentence: QuotedSentence,
  source: 'told' | 'background',
): readonly RecordClaim[] {
  if (sentence.text.length > MAX_TOLD || isQuestion(sentence.text)) return [];
  if (source === 'background' && !STATEMENT.test(sentence.text)) return [];
  const exempt = exemptIn(sentence.text);
  const stems = [...phraseStems(sentence.text)].filter((stem) => !exempt.has(stem));
  const claim = { side: 'leaves', text: sentence.text, stems, object: stems, slots: [] } as const;
  return [{ ...claim, evidence: quoteOf(text, sentence), source, exempt }];
}

/** Tells the label of the option that was chosen. */
function choiceOf(chosen: string | undefined, taken: readonly Claim[]): (label: string) => boolean {
  const wanted = chosen === undefined ? new Set(taken.flatMap(({ stems }) => stems)) : phraseStems(chosen);
  return (label) => {
    const stems = [...phraseStems(label)];
    return stems.length > 0 && stems.filter((stem) => wanted.has(stem)).length >= stems.length * SAME_OPTION;
  };
}

/** Of the options that were considered, those that were not chosen. */
function optionClaims(
  text: string,
  options: readonly OptionItem[],
  chosen: string | undefined,
  isChosen: (label: string) => boolean,
): readonly RecordClaim[] {
  const labels = options.map((option) => ({ ...option, label: labelOf(option.item) }));
  // Without a word of which was chosen, the decision must be one of them.
  const isKnown = chosen !== undefined || labels.some(({ label }) => isChosen(label));
  return labels.flatMap(({ item, label, isRejected }) => {
    const stems = phraseStems(label);
    if (!(isKnown || isRejected) || stems.size > MAX_OPTION_STEMS || isChosen(label)) return [];
    // "Do nothing" and "keep" leave what was chosen; "X only" leaves room for X beside it.
    if (
      /^\W*(?:do nothing|no change|status quo|keep|stay|leave|don't|do not|not )|\b(?:only|alone)\b/i.test(
        label,
      )
    )
      return [];
    const evidence = quoteOf(text, item);
    return [{ ...namedOption(label), evidence, source: 'option', exempt: NOTHING }];
  });
}

function labelOf({ text }: QuotedSentence): string {
  const imagined = IMAGINED.exec(text)?.[0].length ?? 0;
  const [label = ''] = text
    .slice(imagined, imagined + MAX_LABEL)
    .replace(/^\W*(?:option|alternative)\s*\w{1,2}\s*[:.)—-]\s*/i, '')
    .replace(/\[([^\][]*)\]\([^()]*\)/g, '$1')
    .split(/\s+[—–-]\s+|[:(,;]|\.(?:\s|$)|\b(?:because|was|were|is|are|would|but|since)\b/);
  return label;
}

/** A decision rejects what the records it replaced had chosen, as far as it does not choose it again. */
export function inheriting(position: AdrPosition, replaced: readonly AdrPosition[]): AdrPosition {
  const evidence = position.claims.find(({ source }) => source === 'sentence')?.evidence;
  if (evidence === undefined) return position;
  const kept = new Set([...position.topic, ...position.subject]);
  const left = replaced.flatMap(({ claims, names }) =>
    claims.flatMap(({ side, stems, deed }) => {
      const own = stems.filter((stem) => !kept.has(stem) && names.has(stem));
      const isChoice = side === 'takes' && deed === undefined;
      if (!isChoice || own.length === 0 || own.length > MAX_OPTION_STEMS) return [];
      const claim = { side: 'leaves', text: '', stems: own, object: own, slots: [] } as const;
      return [{ ...claim, evidence, source: 'option' as const, exempt: NOTHING }];
    }),
  );
  return { ...position, claims: [...position.claims, ...left] };
}
