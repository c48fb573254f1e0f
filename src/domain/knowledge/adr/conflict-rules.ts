import type { AdrPosition, RecordClaim } from './adr-position.js';
import type { Claim } from './claim.js';
import type { NameSlot } from './name-slot.js';
import { saysOpposite } from './opposites.js';
import type { ProposedSentence } from './proposal.js';
import { isFigure, quantitiesDiffer, quantitiesIn, quantitiesProposed } from './quantity.js';
import { choiceOfRejected, ENOUGH, EXCUSE, type Situation } from './rejected-choice.js';
import { isWeak, phraseStems } from './topic-words.js';

const EXEMPT = 0.4;
const LONG = 0.7;
const HALF = 0.5;
const THIRD = 1 / 3;
/** Verbs that give something another figure. */
const SETS =
  /\b(?:rais|lower|extend|shorten|increas|reduc|allow|grant|let\b|keep|set\b|limit|cut\b|doubl|halv|relax)/i;

type Rule = (sentence: ProposedSentence, claim: RecordClaim, situation: Situation) => boolean;

/** From what a record says most plainly to what has to be compared; the first that holds tells why. */
export const CONFLICT_RULES: readonly (readonly [Rule, string])[] = [
  [takesWhatIsLeft, 'The proposal chooses what this decision rejects.'],
  [leavesWhatIsTaken, 'The proposal gives up what this decision prescribes.'],
  [namesAnotherFigure, 'The proposal names another figure.'],
  [takesARival, 'The proposal names something else for the same purpose.'],
  [turnsItRound, 'The proposal says the opposite.'],
];

/** The proposal speaks of what the sentence, or another of the decision, makes an exception of. */
export function isExempt({ stems }: ProposedSentence, claim: RecordClaim, { allowed }: AdrPosition): boolean {
  return [claim.exempt, ...(claim.side === 'leaves' ? allowed : [])].some((exception) => {
    const own = [...exception].filter((stem) => !claim.stems.includes(stem));
    const met = own.filter((stem) => stems.has(stem));
    return met.length > 0 && met.length >= own.length * EXEMPT;
  });
}

function namesAnotherFigure(sentence: ProposedSentence, claim: RecordClaim, situation: Situation): boolean {
  const given = quantitiesProposed(sentence.asked);
  if (given.length === 0) return false;
  const share = SETS.test(sentence.text) ? THIRD : HALF;
  return claim.evidence.quote
    .replace(/\b(?:unless|except)\b.*/s, '')
    .split(/[,;]\s|\band\b/)
    .some(
      (part) =>
        quantitiesIn(part).some((wanted) => given.some((each) => quantitiesDiffer(wanted, each))) &&
        speaksOfTheSame(sentence, claim, part, situation, share),
    );
}

function turnsItRound(sentence: ProposedSentence, claim: RecordClaim, situation: Situation): boolean {
  return (
    claim.side === 'takes' &&
    quantitiesIn(claim.evidence.quote).length === 0 &&
    saysOpposite(sentence.asked, claim.evidence.quote) &&
    speaksOfTheSame(sentence, claim, claim.evidence.quote, situation, LONG)
  );
}

/** So much of what a sentence of the decision says, its figures apart. */
function speaksOfTheSame(
  { stems, claims }: ProposedSentence,
  { source, deed }: RecordClaim,
  said: string,
  { weights, position, isFirst }: Situation,
  share: number,
): boolean {
  if (source === 'option' || deed !== undefined || claims.some(({ side }) => side === 'leaves')) return false;
  const wanted = [...phraseStems(said)].filter((stem) => !isFigure(stem));
  const shared = wanted.filter((stem) => stems.has(stem));
  const besides = isFirst ? [...position.subject].filter((stem) => stems.has(stem)) : [];
  const all = new Set([...shared, ...besides]);
  if (![...all].some((stem) => weights.isTelling(stem))) return false;
  return (
    shared.length > 0 && shared.length >= wanted.length * share && (all.size > 1 || (isFirst && share < HALF))
  );
}

function takesWhatIsLeft(sentence: ProposedSentence, rejected: RecordClaim, situation: Situation): boolean {
  return choiceOfRejected(sentence, rejected, situation) >= ENOUGH;
}

/** What is given up must be the choice whole; "replace X" is none where the record wants X replaced too. */
function leavesWhatIsTaken(
  { claims, text }: ProposedSentence,
  chosen: RecordClaim,
  { position, weights }: Situation,
): boolean {
  if (chosen.side !== 'takes' || chosen.source === 'option') return false;
  const kept = stemsOf(claims.filter(({ side, deed }) => side === 'takes' && deed === undefined));
  const rejected = stemsOf(position.claims.filter(({ side }) => side === 'leaves'));
  return claims.some(({ side, object, deed }) => {
    if (side !== 'leaves' || deed !== undefined) return false;
    const isGivenUp = (stem: string) =>
      (chosen.stems.includes(stem) || position.subject.has(stem)) && !kept.has(stem);
    if (!object.every(isGivenUp)) return false;
    if (!object.some((stem) => chosen.stems.includes(stem) && weights.isTelling(stem))) return false;
    const isLeftToo = object.some((stem) => rejected.has(stem));
    const takesRejected = [...kept].some((stem) => rejected.has(stem) && weights.isTelling(stem));
    return !isLeftToo || takesRejected || EXCUSE.test(text);
  });
}

function stemsOf(claims: readonly Claim[]): ReadonlySet<string> {
  return new Set(claims.flatMap(({ stems }) => stems));
}

/** "Services are written in Kotlin" against "write the refund service in Go". */
function takesARival(sentence: ProposedSentence, chosen: RecordClaim, situation: Situation): boolean {
  const { position, proposal, weights, isFirst } = situation;
  if (
    chosen.side !== 'takes' ||
    chosen.slots.some(({ names }) => names.some((name) => proposal.words.has(name)))
  )
    return false;
  const isSame = (one: NameSlot, other: NameSlot) => {
    const own = one.frame.filter((stem) => !isFirst || !position.subject.has(stem));
    const shared = own.filter((stem) => sentence.stems.has(stem));
    const isSaid = weights.sum(shared) >= HALF * weights.sum(own);
    const isHead = one.head === other.head || one.frame.includes(other.head);
    const isAny = isWeak(one.head) && one.how !== undefined && shared.length > 0;
    if (one.head === '' || !isSaid || !(isHead || isAny)) return false;
    return one.how === other.how || shared.length === own.length;
  };
  return chosen.slots.some((slot) =>
    sentence.claims.some(({ slots }) =>
      slots.some((rival) => !rival.names.some((name) => position.names.has(name)) && isSame(slot, rival)),
    ),
  );
}
