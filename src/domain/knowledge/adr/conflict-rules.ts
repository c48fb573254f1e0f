import type { AdrPosition, RecordClaim } from './adr-position.js';
import {
  isDecided,
  pointsOf,
  type Signs,
  type Situation,
  signsOfChoice,
  signsOfSentence,
  stemsOf,
} from './conflict-signs.js';
import type { NameSlot } from './name-slot.js';
import type { ProposedSentence } from './proposal.js';
import { isFigure, quantitiesDiffer, quantitiesIn, quantitiesProposed } from './quantity.js';
import { isWeak, phraseStems } from './topic-words.js';

/** A sentence of the proposal that may go against one of the record. */
export interface Candidate {
  readonly sentence: ProposedSentence;
  readonly claim: RecordClaim;
  readonly reason: string;
  readonly signs: Signs;
  readonly points: number;
}

const EXEMPT = 0.4;
const HALF = 0.5;
const THIRD = 1 / 3;
/** Verbs that give something another figure. */
const SETS =
  /\b(?:rais|lower|extend|shorten|increas|reduc|allow|grant|let\b|keep|set\b|limit|cut\b|doubl|halv|relax)/i;

type Rule = (sentence: ProposedSentence, claim: RecordClaim, situation: Situation) => boolean;

const PLAIN_RULES: readonly (readonly [Rule, string])[] = [
  [leavesWhatIsTaken, 'The proposal gives up what this decision prescribes.'],
  [namesAnotherFigure, 'The proposal names another figure.'],
  [takesARival, 'The proposal names something else for the same purpose.'],
];
const REJECTED = 'The proposal chooses what this decision rejects.';
const PASSED_OVER = 'The proposal chooses what this record speaks of and did not choose.';

/** All that may be a conflict, that first which most speaks for. */
export function conflictCandidates(situation: Situation): readonly Candidate[] {
  const { proposal, position } = situation;
  const found = proposal.sentences.flatMap((sentence) => {
    const said = signsOfSentence(sentence, situation);
    const claims = position.claims.filter((claim) => !isExempt(sentence, claim, position));
    return claims.flatMap((claim) =>
      signsAgainst(sentence, claim, situation).map(([own, reason]) => {
        const signs = { ...said, ...own };
        return { sentence, claim, reason, signs, points: pointsOf(signs) };
      }),
    );
  });
  return found.sort((one, other) => other.points - one.points);
}

function signsAgainst(
  sentence: ProposedSentence,
  claim: RecordClaim,
  situation: Situation,
): readonly (readonly [Signs, string])[] {
  const signs = signsOfChoice(sentence, claim, situation);
  const plain = PLAIN_RULES.find(([rule]) => rule(sentence, claim, situation));
  return [
    ...(plain === undefined ? [] : [[{ isPlain: 1 }, plain[1]] as const]),
    ...(signs === undefined ? [] : [[signs, isDecided(claim) ? REJECTED : PASSED_OVER] as const]),
  ];
}

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

/** So much of what a sentence of the decision says, its figures apart. */
function speaksOfTheSame(
  { stems, claims }: ProposedSentence,
  { source, deed }: RecordClaim,
  said: string,
  { weights, position }: Situation,
  share: number,
): boolean {
  if (
    (source !== 'sentence' && source !== 'title') ||
    deed !== undefined ||
    claims.some(({ side }) => side === 'leaves')
  )
    return false;
  const wanted = [...phraseStems(said)].filter((stem) => !isFigure(stem));
  const shared = wanted.filter((stem) => stems.has(stem));
  const besides = [...position.subject].filter((stem) => stems.has(stem));
  const all = new Set([...shared, ...besides]);
  if (![...all].some((stem) => weights.isTelling(stem))) return false;
  return shared.length > 0 && shared.length >= wanted.length * share && (all.size > 1 || share < HALF);
}

/** What is given up must be the choice whole; "replace X" is none where the record wants X replaced too. */
function leavesWhatIsTaken(
  { claims, manner }: ProposedSentence,
  chosen: RecordClaim,
  { position, weights }: Situation,
): boolean {
  if (chosen.side !== 'takes') return false;
  const kept = stemsOf(claims.filter(({ side, deed }) => side === 'takes' && deed === undefined));
  const { rejected } = position;
  return claims.some(({ side, object, deed }) => {
    if (side !== 'leaves' || deed !== undefined) return false;
    const isGivenUp = (stem: string) =>
      (chosen.stems.includes(stem) || position.subject.has(stem)) && !kept.has(stem);
    if (!object.every(isGivenUp)) return false;
    if (!object.some((stem) => chosen.stems.includes(stem) && weights.isTelling(stem))) return false;
    const isLeftToo = object.some((stem) => rejected.has(stem));
    const takesRejected = [...kept].some((stem) => rejected.has(stem) && weights.isTelling(stem));
    return !isLeftToo || takesRejected || manner.isExcused === 1;
  });
}

/** "Services are written in Kotlin" against "write the refund service in Go". */
function takesARival(sentence: ProposedSentence, chosen: RecordClaim, situation: Situation): boolean {
  const { position, proposal, weights } = situation;
  if (
    chosen.side !== 'takes' ||
    chosen.slots.some(({ names }) => names.some((name) => proposal.words.has(name)))
  )
    return false;
  const isSame = (one: NameSlot, other: NameSlot) => {
    const own = one.frame.filter((stem) => !position.subject.has(stem));
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
