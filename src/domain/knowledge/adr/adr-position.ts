import type { AdrRecord } from './adr-record.js';
import { type Claim, claimsIn, isQuestion } from './claim.js';
import { type DecisionSection, decisionParts } from './decision-parts.js';
import { type Choices, choicesOf, chosenIn, EXCEPTION } from './passed-over.js';
import { type Quote, type QuotedSentence, quoteOf } from './quoted-sentence.js';
import { namesIn, phraseStems, topicStems } from './topic-words.js';

/** Something that a clause of the decision, or the title, wants. */
export interface RecordClaim extends Claim {
  readonly evidence: Quote;
  readonly source: 'sentence' | 'title';
}

/** What a record says, as far as a proposal can be held against it. */
export interface AdrPosition extends Choices {
  readonly record: AdrRecord;
  readonly section: DecisionSection;
  /** The first sentence of the decision. */
  readonly lead: Quote;
  readonly claims: readonly RecordClaim[];
  /** All sentences of the decision. */
  readonly stated: readonly Quote[];
  /** Words of its title and its decision. */
  readonly topic: ReadonlySet<string>;
  /** Words of its title and of the option it chose. */
  readonly subject: ReadonlySet<string>;
  readonly title: ReadonlySet<string>;
  /** All its words. */
  readonly words: ReadonlySet<string>;
  /** Names in its title and its decision. */
  readonly chosenNames: ReadonlySet<string>;
}

const MAX_READ = 32 * 1024;
const MAX_INHERITED = 6;

export function positionOf(record: AdrRecord): AdrPosition {
  const parts = decisionParts(record);
  const { section, deciding, title } = parts;
  const { text } = record.source;
  const named = `${record.title} ${chosenIn(text)}`;
  const claims = [
    ...deciding.flatMap((sentence) => claimsOf(text, sentence, 'sentence')),
    ...(title === undefined ? [] : claimsOf(text, title, 'title')),
  ];
  return {
    ...choicesOf(text, parts),
    record,
    section,
    lead: quoteOf(text, deciding[0] ?? title ?? { text: '', start: 0 }),
    claims,
    stated: deciding.map((sentence) => quoteOf(text, sentence)),
    topic: topicStems(`${record.title} ${deciding.map((sentence) => sentence.text).join(' ')}`),
    subject: phraseStems(named),
    title: phraseStems(record.title),
    words: phraseStems(text.slice(0, MAX_READ)),
    chosenNames: namesIn([named, ...claims.map((claim) => claim.text)].join(' x ')),
  };
}

function claimsOf(
  text: string,
  sentence: QuotedSentence,
  source: RecordClaim['source'],
): readonly RecordClaim[] {
  if (isQuestion(sentence.text) || /\bnot affected\b/i.test(sentence.text)) return [];
  const evidence = quoteOf(text, sentence);
  const [rule = ''] = sentence.text.split(EXCEPTION);
  const taken = claimsIn(rule).filter(({ side }) => side === 'takes');
  return taken.map((claim) => ({ ...claim, evidence, source }));
}

/** A decision rejects what the records it replaced had chosen, as far as it does not choose it again. */
export function inheriting(position: AdrPosition, replaced: readonly AdrPosition[]): AdrPosition {
  const evidence = position.claims.find(({ source }) => source === 'sentence')?.evidence;
  if (evidence === undefined) return position;
  const kept = new Set([...position.topic, ...position.subject]);
  const left = replaced.flatMap(({ claims, chosenNames }) =>
    claims.flatMap(({ stems, deed }) => {
      const own = new Set(stems.filter((stem) => !kept.has(stem) && chosenNames.has(stem)));
      if (deed !== undefined || own.size === 0 || own.size > MAX_INHERITED) return [];
      return [{ kind: 'option' as const, parts: [own], words: own, evidence }];
    }),
  );
  const words = new Set([...position.words, ...left.flatMap((each) => [...each.words])]);
  return { ...position, words, passed: [...position.passed, ...left] };
}
