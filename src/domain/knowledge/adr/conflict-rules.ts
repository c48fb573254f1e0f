import type { AdrPosition, RecordClaim } from './adr-position.js';
import type { NameSlot } from './name-slot.js';
import { saysOpposite } from './opposites.js';
import type { Proposal, ProposedSentence } from './proposal.js';
import { isFigure, quantitiesDiffer, quantitiesIn } from './quantity.js';
import { isWeak, phraseStems } from './topic-words.js';
import type { WordWeights } from './word-weights.js';

const COVERED = 0.6;
const SHORT = 2;
const EXEMPT = 0.4;
const LONG = 0.7;
const HALF = 0.5;
const THIRD = 1 / 3;
/** Verbs that give something another figure. */
const SETS =
  /\b(?:rais|lower|extend|shorten|increas|reduc|allow|let\b|keep|set\b|limit|cut\b|doubl|halv|relax)/i;

export interface Situation {
  readonly proposal: Proposal;
  readonly position: AdrPosition;
  readonly weights: WordWeights;
  /** No record has more to do with the proposal. */
  readonly isFirst: boolean;
}

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
  const given = quantitiesIn(sentence.text);
  if (given.length === 0) return false;
  const share = SETS.test(sentence.text) ? THIRD : HALF;
  return claim.evidence.quote
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
    saysOpposite(sentence.text, claim.evidence.quote) &&
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
  if (rejected.side !== 'leaves' || quantitiesIn(rejected.text).length > 0) return false;
  const { weights } = situation;
  const taken = sentence.claims.filter(({ side }) => side === 'takes');
  const isDeed = rejected.deed !== undefined;
  const fitting = taken.filter(({ deed, stems }) =>
    isDeed ? stems.includes(rejected.deed ?? '') : deed === undefined || rejected.stems.includes(deed),
  );
  const refused = new Set(
    sentence.claims
      .filter(({ side, deed }) => side === 'leaves' && deed === undefined)
      .flatMap(({ object }) => object),
  );
  const isGivenBy = (given: readonly string[]) => (stem: string) =>
    given.includes(stem) && (isDeed || !refused.has(stem));
  const shared = rejected.stems.filter(isGivenBy(fitting.flatMap(({ stems }) => stems)));
  if (isForbidden(rejected, shared, situation)) {
    const isTold = shared.length > 1 && (rejected.source === 'sentence' || situation.isFirst);
    return isTold || sharesTopic(situation, shared) || (situation.isFirst && rejected.source === 'sentence');
  }
  return fitting.some(({ stems }) =>
    rejected.items.some((item) => {
      const found = item.stems.filter(isGivenBy(stems));
      if (found.length < item.stems.length || !found.some((stem) => weights.isTelling(stem))) return false;
      if (item.subject.length > 0) return item.subject.some((stem) => stems.includes(stem));
      return found.length > 1 || sharesTopic(situation, found);
    }),
  );
}

/** What the record is about need not be said again; where it is forbidden must be meant, and most of the rest said. */
function isForbidden(
  { stems, object, source }: RecordClaim,
  shared: readonly string[],
  { position, weights, isFirst }: Situation,
): boolean {
  if (!shared.some((stem) => weights.isTelling(stem))) return false;
  const isImplied = source === 'option' || (source === 'sentence' && isFirst);
  const rest = stems.filter((stem) => !isImplied || !position.subject.has(stem));
  const own = rest.length === 0 ? stems : rest;
  const place = own.filter((stem) => !object.includes(stem) && weights.isTelling(stem));
  if (place.length > 0 && !place.some((stem) => shared.includes(stem))) return false;
  const isMost = (whole: readonly string[]) => {
    const strong = whole.filter((stem) => !isWeak(stem));
    const part = strong.length > 0 ? strong : whole;
    const said = part.filter((stem) => shared.includes(stem));
    return part.length <= SHORT
      ? said.length === part.length
      : weights.sum(said) >= COVERED * weights.sum(part);
  };
  return isMost(own.filter((stem) => object.includes(stem))) && isMost(own);
}

/** Short phrases must be there whole; of long ones most. */
function isCovered(wanted: readonly string[], shared: readonly string[], weights: WordWeights): boolean {
  if (!shared.some((stem) => weights.isTelling(stem))) return false;
  if (wanted.length <= 3) return shared.length === wanted.length;
  return shared.length >= wanted.length * LONG && weights.sum(shared) >= COVERED * weights.sum(wanted);
}

/** The record and the proposal speak of the same things besides. */
function sharesTopic({ proposal, position, isFirst }: Situation, apart: readonly string[]): boolean {
  for (const stem of [...position.topic, ...position.subject]) {
    const tells = !isWeak(stem) || (isFirst && position.subject.has(stem));
    if (tells && proposal.words.has(stem) && !apart.includes(stem)) return true;
  }
  return false;
}

function leavesWhatIsTaken(
  { claims }: ProposedSentence,
  chosen: RecordClaim,
  { position, weights }: Situation,
): boolean {
  if (chosen.side !== 'takes' || chosen.source !== 'sentence') return false;
  const kept = new Set(
    claims.filter(({ side, deed }) => side === 'takes' && deed === undefined).flatMap(({ stems }) => stems),
  );
  const prescribed = new Set([...chosen.stems, ...position.subject]);
  return claims.some(({ side, object, deed }) => {
    if (side !== 'leaves' || deed !== undefined) return false;
    const shared = object.filter((stem) => prescribed.has(stem) && !kept.has(stem));
    const isChosen = shared.some((stem) => chosen.stems.includes(stem) && weights.isTelling(stem));
    return isChosen && isCovered(object, shared, weights);
  });
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
      slots.some(
        (rival) =>
          !rival.names.some((name) => position.names.has(name)) &&
          (isSame(slot, rival) || isLeftBehind(rival.names, situation)),
      ),
    ),
  );
}

/** The record tells of it as what was there before, and no record has chosen it. */
function isLeftBehind(names: readonly string[], situation: Situation): boolean {
  const { position, weights, isFirst } = situation;
  const isTold =
    names.every((name) => position.background.has(name)) && names.some((name) => !weights.isKnown(name));
  return isFirst && isTold && sharesTopic(situation, names);
}
