import { Comparison, ENOUGH, type Evidence, pointsOf, type Signs, type Situation } from './conflict-signs.js';
import type { ProposedSentence } from './proposal.js';
import { isFigure, quantitiesDiffer, quantitiesIn, quantitiesProposed } from './quantity.js';
import type { Quote } from './quoted-sentence.js';
import { phraseStems } from './topic-words.js';

/** A sentence of the proposal that may go against one of the record. */
export interface Candidate {
  readonly sentence: ProposedSentence;
  readonly quote: Quote;
  readonly reason: string;
  readonly signs: Signs;
  readonly points: number;
  /** All of what was rejected is there. */
  readonly isWhole: boolean;
}

const REASONS: Readonly<Record<Evidence['kind'], string>> = {
  option: 'The proposal chooses an option that this decision did not choose.',
  refused: 'The proposal chooses what this decision rejects.',
  told: 'The proposal chooses what this record speaks of and did not choose.',
  givenUp: 'The proposal gives up what this decision prescribes.',
};
const ANOTHER_FIGURE = 'The proposal names another figure.';
const HALF = 0.5;
const THIRD = 1 / 3;
/** Verbs that give something another figure. */
const SETS =
  /\b(?:rais|lower|extend|shorten|increas|reduc|allow|grant|let\b|keep|set\b|limit|cut\b|doubl|halv|relax)/i;

/** All that may be a conflict, that first which most speaks for. */
export function conflictCandidates(situation: Situation): readonly Candidate[] {
  const found = situation.proposal.sentences.flatMap((sentence): readonly Candidate[] => {
    const { signs: said, evidence } = new Comparison(sentence, situation).signs();
    const figure = situation.position.stated.find((said) => namesAnotherFigure(sentence, said, situation));
    const [best] = evidence;
    const quote = figure ?? best?.quote;
    if (quote === undefined) return [];
    // Another figure for what was chosen follows it in all but that.
    const signs = figure === undefined ? said : { ...said, figure: 1, followed: 0 };
    const isWhole = figure === undefined && best?.share === 1;
    const reason = figure === undefined && best !== undefined ? REASONS[best.kind] : ANOTHER_FIGURE;
    return [{ sentence, quote, reason, signs, points: pointsOf(signs), isWhole }];
  });
  return found.sort((one, other) => other.points - one.points);
}

export function isClaimed({ points }: Candidate): boolean {
  return points >= ENOUGH;
}

function namesAnotherFigure(sentence: ProposedSentence, { quote }: Quote, situation: Situation): boolean {
  const given = quantitiesProposed(sentence.asked);
  if (given.length === 0) return false;
  const share = SETS.test(sentence.text) ? THIRD : HALF;
  return quote
    .replace(/\b(?:unless|except)\b.*/s, '')
    .split(/[,;]\s|\band\b/)
    .some(
      (part) =>
        quantitiesIn(part).some((wanted) => given.some((each) => quantitiesDiffer(wanted, each))) &&
        speaksOfTheSame(sentence, part, situation, share),
    );
}

/** So much of what a sentence of the decision says, its figures apart. */
function speaksOfTheSame(
  { stems, claims }: ProposedSentence,
  said: string,
  { weights, position }: Situation,
  share: number,
): boolean {
  if (claims.some(({ side }) => side === 'leaves')) return false;
  const wanted = [...phraseStems(said)].filter((stem) => !isFigure(stem));
  const shared = wanted.filter((stem) => stems.has(stem));
  const besides = [...position.subject].filter((stem) => stems.has(stem));
  const all = new Set([...shared, ...besides]);
  if (![...all].some((stem) => weights.isTelling(stem))) return false;
  return shared.length > 0 && shared.length >= wanted.length * share && (all.size > 1 || share < HALF);
}
