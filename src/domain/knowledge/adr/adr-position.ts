import type { AdrRecord } from './adr-record.js';
import { type Claim, claimsIn, isQuestion, namedOption } from './claim.js';
import { type DecisionSection, decisionParts, type OptionItem } from './decision-parts.js';
import { namesIn, wholeNames } from './name-slot.js';
import { type Quote, type QuotedSentence, quoteOf, sentencesBetween } from './quoted-sentence.js';
import { phraseStems, topicStems } from './topic-words.js';

export interface RecordClaim extends Claim {
  readonly evidence: Quote;
  /** A named option means nothing outside of what the record is about; a title may only name the subject. */
  readonly source: 'sentence' | 'option' | 'title' | 'mention';
  /** Words of what the sentence exempts. */
  readonly exempt: ReadonlySet<string>;
  /** The sentence forbids that it is only this, or demands that it is this only there. */
  readonly only?: 'forbidden' | 'demanded';
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
  /** Names in its title and its decision. */
  readonly names: ReadonlySet<string>;
  /** Words of each thing that it allows in spite of what it says. */
  readonly allowed: readonly ReadonlySet<string>[];
}

const CHOSEN = /chosen (?:option|alternative)\W{0,20}(?:is|was)?\W{0,20}([^"”*`,.\n—(]{2,100})/i;
const MAX_LABEL = 200;
const MAX_READ = 32 * 1024;
const MAX_OPTION_STEMS = 6;
const SAME_OPTION = 0.6;
/** "X would have been faster, but …", "X was used before", "X is gone". */
const PASSED_OVER =
  /\b(?:but|would(?: have)?|was|were|gone|too|expensive|although|though|however|not|no longer|cannot|lacks?|fails?|postponed|had|could)\b/i;
/** "We could use X" below the heading of the alternatives. */
const IMAGINED =
  /^(?:we (?:could|might)|one (?:option|alternative|could)|an(?:other)? (?:option|alternative|approach)[^.]{0,30}? (?:is|was|would be)(?: to)?|instead,? we could)\s+/i;
const EXCEPTION = /\b(?:except|unless|apart from|other than)\b/i;
const ALLOWANCE =
  /\b(?:(?:is|are|remains?) (?:(?:still|not) )?(?:allowed|permitted|fine|acceptable|affected|exempt)|exceptions?|(?:may|can) (?:still |also )?(?:stay|keep|remain|continue|be (?:used|written|kept|chosen)))\b/i;
const NOTHING: ReadonlySet<string> = new Set();
/** "Only the vault may keep cards": everything else may not. */
const ONLY_WHO = /^\W*only (.{2,80}?) (?:may|can|must|shall|should|will|is|are|has|have)\b(.*)$/i;
/** "UTC is used only where people read it", "Redis is for caching only". */
const ONLY_WHERE =
  /^(.*)(?:\bonly ((?:for|in|on|at|by|to|from|with|where|when|after|before|if|as|through|within|during)\b.*)|\b((?:for|in|on|at|by|to|with|as|through|within|during) [^,;]{2,80}?) only\b[,;.]?.*)$/i;

export function positionOf(record: AdrRecord): AdrPosition {
  const { section, deciding, options, title } = decisionParts(record);
  const { text } = record.source;
  const chosen = CHOSEN.exec(text)?.[1];
  const decided = [
    ...deciding.flatMap((sentence) => sentenceClaims(text, sentence, 'sentence')),
    ...(title === undefined ? [] : sentenceClaims(text, title, 'title')),
  ];
  const taken = decided.filter(({ side }) => side === 'takes');
  const names = namesIn([record.title, chosen ?? '', ...taken.map((claim) => claim.text)].join(' x '));
  return {
    record,
    section,
    lead: quoteOf(text, deciding[0] ?? title ?? { text: '', start: 0 }),
    claims: [...decided, ...optionClaims(record, options, chosen, taken), ...mentions(record, names)],
    topic: topicStems(`${record.title} ${deciding.map((sentence) => sentence.text).join(' ')}`),
    subject: phraseStems(`${record.title} ${chosen ?? ''}`),
    names,
    allowed: deciding
      .filter(
        (sentence) =>
          ALLOWANCE.test(sentence.text) && !/\b(?:only|(?:is|are) not (?!affected))\b/i.test(sentence.text),
      )
      .map((sentence) => phraseStems(sentence.text.split(ALLOWANCE)[0] ?? '')),
  };
}

function sentenceClaims(
  text: string,
  sentence: QuotedSentence,
  source: RecordClaim['source'],
): readonly RecordClaim[] {
  if (isQuestion(sentence.text) || /\bnot affected\b/i.test(sentence.text)) return [];
  const evidence = quoteOf(text, sentence);
  const at = sentence.text.search(EXCEPTION);
  const rule = at === -1 ? sentence.text : sentence.text.slice(0, at);
  const allowed = sentence.text
    .split(/[;,]/)
    .filter((part) => ALLOWANCE.test(part))
    .join(' ');
  const exempt = phraseStems(`${at === -1 ? '' : sentence.text.slice(at)} ${allowed}`);
  const claims = claimsIn(rule).filter(({ side, isLack }) => side === 'takes' || isLack !== true);
  return [
    ...claims.map((claim) => {
      const isOnly = claim.side === 'leaves' && /\b(?:only|alone|solely|exclusively)\b/i.test(claim.text);
      return { ...claim, evidence, source, exempt, ...(isOnly && { only: 'forbidden' as const }) };
    }),
    ...exclusions(rule, evidence, source),
  ];
}

function exclusions(rule: string, evidence: Quote, source: RecordClaim['source']): readonly RecordClaim[] {
  return rule.split(/[;:]/).flatMap((part) => {
    const [, who, what] = ONLY_WHO.exec(part) ?? [];
    const [, said, behind, before] = ONLY_WHERE.exec(part) ?? [];
    const excluded = what ?? said;
    if (excluded === undefined || /\bnot only\b|\bno\b|\bnot\b/i.test(part)) return [];
    const exempt = phraseStems(who ?? behind ?? before ?? '');
    return exempt.size === 0
      ? []
      : [{ ...namedOption(excluded), evidence, source, exempt, only: 'demanded' }];
  });
}

/** Names that the record speaks of without having chosen them. */
function mentions(record: AdrRecord, chosen: ReadonlySet<string>): readonly RecordClaim[] {
  const { text } = record.source;
  const told = sentencesBetween(text, 0, Math.min(text.length, MAX_READ)).filter(
    (sentence) => PASSED_OVER.test(sentence.text) && !/\b(?:may|can|welcome|fine)\b/i.test(sentence.text),
  );
  return told.flatMap((sentence) =>
    wholeNames(sentence.text).flatMap((name) => {
      const claim = namedOption(name);
      if (claim.stems.every((stem) => chosen.has(stem))) return [];
      return [{ ...claim, evidence: quoteOf(text, sentence), source: 'mention' as const, exempt: NOTHING }];
    }),
  );
}

/** Of the options that were considered, those that were not chosen. */
function optionClaims(
  record: AdrRecord,
  options: readonly OptionItem[],
  chosen: string | undefined,
  taken: readonly Claim[],
): readonly RecordClaim[] {
  const labels = options.map((option) => ({ ...option, label: labelOf(option) }));
  const wanted = chosen === undefined ? new Set(taken.flatMap(({ stems }) => stems)) : phraseStems(chosen);
  const isChosen = (label: string) => {
    const stems = [...phraseStems(label)];
    return stems.filter((stem) => wanted.has(stem)).length >= stems.length * SAME_OPTION;
  };
  // Without a word of which was chosen, the decision must be one of them.
  const isKnown = chosen !== undefined || labels.some(({ label }) => isChosen(label));
  return labels.flatMap(({ item, label, isRejected }) => {
    const stems = phraseStems(label);
    if (!(isKnown || isRejected) || stems.size > MAX_OPTION_STEMS || isChosen(label)) return [];
    // "Do nothing" and "keep" leave what was chosen; "X only" leaves room for X beside it.
    if (/^\W*(?:do nothing|no change|status quo|keep|stay|don't|do not|not )|\b(?:only|alone)\b/i.test(label))
      return [];
    const evidence = quoteOf(record.source.text, item);
    return [{ ...namedOption(label), evidence, source: 'option', exempt: NOTHING }];
  });
}

function labelOf({ item }: OptionItem): string {
  const imagined = IMAGINED.exec(item.text)?.[0].length ?? 0;
  const [label = ''] = item.text
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
    claims.flatMap(({ side, stems, deed, source }) => {
      const own = stems.filter((stem) => !kept.has(stem));
      const isChoice = side === 'takes' && deed === undefined && source !== 'option';
      if (!isChoice || own.length === 0 || own.length > MAX_OPTION_STEMS) return [];
      const claim = {
        side: 'leaves',
        text: '',
        stems: own,
        object: own,
        items: own.filter((stem) => names.has(stem)).map((stem) => ({ stems: [stem], subject: [] })),
        slots: [],
        exempt: NOTHING,
      } as const;
      return [{ ...claim, evidence, source: 'option' as const }];
    }),
  );
  return { ...position, claims: [...position.claims, ...left] };
}
