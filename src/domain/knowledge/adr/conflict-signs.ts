import type { AdrPosition, RecordClaim } from './adr-position.js';
import type { Claim } from './claim.js';
import type { Proposal, ProposedSentence } from './proposal.js';
import { quantitiesIn } from './quantity.js';
import type { WordWeights } from './word-weights.js';

export interface Situation {
  readonly proposal: Proposal;
  readonly position: AdrPosition;
  readonly weights: WordWeights;
}

/**
 * What speaks for a conflict, and how much. No sign is enough by itself. The points are a logistic regression over the
 * labelled sets, rounded; they were checked by leaving out one set at a time.
 */
const POINTS = {
  isAsked: 1,
  isAdopting: 1,
  isRevived: 0.75,
  isExcused: 0.5,
  isUpkeep: -1.25,
  isLookedAt: -1,
  isElsewhere: -0.75,
  /** Something in the proposal stays as it is. */
  isKept: -1.5,
  /** Which share of the sentence's words the record has. */
  isKnown: 1.75,
  /** Everything else that is shared with the record, three words at most. */
  besides: 0.25,
  /** It gives up what was chosen, or names another figure or a rival: no word of what is passed over is needed. */
  isPlain: 2.25,
  /** Each rare word that is shared with what is passed over, three at most. */
  shared: 0.5,
  /** All its words are there. */
  isWhole: 1.25,
  /** The record says in so many words that it was rejected. */
  isRejected: 0.5,
  /** The record only tells of it, in what led to the decision. */
  isBackground: -0.75,
  /** Each rare word of what was chosen that the sentence takes as well, three at most. */
  isFollowed: -1,
} as const;
type Sign = keyof typeof POINTS;
export type Signs = Partial<Record<Sign, number>>;
/** Chosen so that about nine of ten claims are right in the sets that were left out. */
export const ENOUGH = 3;
const MOST = 3;
const SIGNS = Object.keys(POINTS).filter((sign): sign is Sign => sign in POINTS);

const REJECTION =
  /\b(?:reject|refus|dismiss|discard|rul(?:e|ed) out|forbid|forbidden|prohibit|disallow|ban(?:ned)?\b|turned down|declin|dropp|abandon|retire|decided against|out of scope|deprecat|not (?:allowed|permitted|chosen|used|offered|accepted))/i;
/** "X would have been faster, but …", "X was used before", "X is gone". */
const PASSED_OVER =
  /\b(?:but|would|was|were|gone|too|expensive|although|though|however|not|no|cannot|lacks?|fail(?:s|ed)?|postponed|had|could|tried|until|used to|so far|broke|lost|never|nobody|\w+n['’]t)\b/i;

export function pointsOf(signs: Signs): number {
  return SIGNS.reduce((sum, sign) => sum + POINTS[sign] * (signs[sign] ?? 0), 0);
}

/** What the sentence itself tells, whichever words of the record it is held against. */
export function signsOfSentence(
  { manner, stems }: ProposedSentence,
  { proposal, position, weights }: Situation,
): Signs {
  const known = [...stems].filter((stem) => position.words.has(stem));
  return {
    ...manner,
    isKept: Math.max(...proposal.sentences.map((each) => each.manner.isKept)),
    isKnown: weights.sum(known) / Math.max(1, weights.sum(stems)),
  };
}

/** What speaks for a sentence choosing what the record passes over; undefined: it does not speak of it. */
export function signsOfChoice(
  sentence: ProposedSentence,
  passed: RecordClaim,
  { position, weights, proposal }: Situation,
): Signs | undefined {
  if (passed.side !== 'leaves' || quantitiesIn(passed.text).some(({ bound }) => bound !== 'exact'))
    return undefined;
  const { chosen, words, rejected } = position;
  const taken = takenStems(sentence, passed);
  const shared = passed.stems.filter((stem) => taken.has(stem));
  const telling = shared.filter((stem) => weights.isTelling(stem));
  // A whole sentence speaks of what was chosen as well.
  const own = isDecided(passed) ? telling : telling.filter((stem) => !chosen.has(stem));
  if (own.length === 0 || !shared.some((stem) => passed.object.includes(stem))) return undefined;
  const isBackground = passed.source === 'background';
  if (isBackground && own.length === 1 && !PASSED_OVER.test(passed.text)) return undefined;
  const besides = [...proposal.words].filter((stem) => words.has(stem) && !shared.includes(stem));
  const followed = [...taken].filter(
    (stem) =>
      chosen.has(stem) &&
      !rejected.has(stem) &&
      !(isDecided(passed) && shared.includes(stem)) &&
      weights.isTelling(stem),
  );
  return {
    besides: Math.min(MOST, weights.sum(besides)),
    shared: Math.min(MOST, weights.sum(shared)),
    isWhole: Number(shared.length === passed.stems.length),
    isRejected: Number(REJECTION.test(passed.evidence.quote)),
    isBackground: Number(isBackground),
    isFollowed: Math.min(MOST, weights.sum(followed)),
  };
}

/** Not a whole sentence in which something is only told of. */
export function isDecided({ source }: RecordClaim): boolean {
  return source !== 'told' && source !== 'background';
}

/** What the sentence takes and does not refuse elsewhere; of a forbidden deed, where it does this deed. */
function takenStems({ claims }: ProposedSentence, { deed: wanted, stems }: RecordClaim): ReadonlySet<string> {
  const fitting = claims.filter(
    ({ side, deed, stems: own }) =>
      side === 'takes' &&
      (wanted === undefined ? deed === undefined || stems.includes(deed) : own.includes(wanted)),
  );
  const givenUp = claims.filter(({ side, deed }) => side === 'leaves' && deed === undefined);
  const taken = stemsOf(fitting);
  for (const stem of wanted === undefined ? givenUp.flatMap(({ object }) => object) : []) taken.delete(stem);
  return taken;
}

export function stemsOf(claims: readonly Claim[]): Set<string> {
  return new Set(claims.flatMap(({ stems }) => stems));
}
