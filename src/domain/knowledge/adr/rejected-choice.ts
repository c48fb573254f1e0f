import type { AdrPosition, RecordClaim } from './adr-position.js';
import type { Claim } from './claim.js';
import type { Proposal, ProposedSentence } from './proposal.js';
import { quantitiesIn } from './quantity.js';
import type { WordWeights } from './word-weights.js';

export interface Situation {
  readonly proposal: Proposal;
  readonly position: AdrPosition;
  readonly weights: WordWeights;
  /** No record has more to do with the proposal. */
  readonly isFirst: boolean;
}

/**
 * What speaks for a proposal choosing what a decision rejects, and how much. No sign is enough by itself. The points
 * are a logistic regression over the labelled sets, rounded; they were checked by leaving out one set at a time.
 */
const POINTS = {
  /** The sentence asks for something instead of telling how something is. */
  isAsked: 1.75,
  /** The record says in so many words that it was rejected. */
  isRejection: 1,
  /** The same sentence gives up what the decision chose. */
  givesUpTheChoice: 0.75,
  isWholePhrase: 0.75,
  isWholeObject: 0.5,
  isWholeItem: 0.5,
  /** What is shared has a word that the decision does not use for what it chose. */
  isDistinct: 0.5,
  /** "Until", "without", "as an exception": whoever asks knows of the rule. */
  isExcuse: 0.5,
  /** Of the phrase, and of that part of it which the title does not say already: which share is there. */
  share: 0.75,
  ownShare: 0.75,
  /** For each rare word that is shared, three and two of them at most. */
  word: 0.25,
  ownWord: 0.5,
  isOnly: -0.5,
  isKeeping: -0.5,
  /** A name that the record only speaks of. */
  isMention: -1,
  /** To compare, measure or explain a thing is not to choose it. */
  isLookedAt: -1.25,
} as const;
/** Chosen so that nine of ten claims are right in the sets that were left out. */
export const ENOUGH = 4.5;
const MOST_WORDS = 3;
const MOST_OWN_WORDS = 2;

const SUBORDINATE = /[,;(]|\b(?:which|who|whose|that|because|since|when|where|if)\b/i;
const ASKS =
  /\b(?:should|could|may|must|shall|would like|let|let['’]s|propos\w+|suggest\w*|want to|plan to)\b/i;
const TELLS =
  /^\W*(?:[\w-]+:\s*)?(?:the|an?|our|this|these|there|it|in|each|every|all|two|most)\b|^(?:\S+\s+){0,8}?(?:is|are|was|were|has|have|gets?|does|do|runs?|needs?|wants?|knows?)\b/i;
export const EXCUSE =
  /\b(?:temporar\w+|for now|until|transition|exception|just this|once|skip|bypass|without|only)\b/i;
const KEEPS =
  /\b(?:keeps?|stays?|remains?|still|as before|continues?|no change|unchanged|not (?:affected|touched)|untouched|as always)\b/i;
const LOOKS =
  /\b(?:compar(?:e|es|ing|ison)|evaluat\w+|prototyp\w+|document(?:s|ing)? (?:why|how|the)|measur\w+|benchmark\w*|profil(?:e|ing)|explain\w*|warn\w*|alert\w*|log each|remind\w*|survey|learn\w*|report to|looked at|talk|trial|investigat\w+|monitor\w*|show\w*|detect\w*)\b/i;
const REJECTION =
  /\b(?:reject|refus|dismiss|discard|rul(?:e|ed) out|forbid|forbidden|prohibit|disallow|ban(?:ned)?\b|turned down|declin|dropp|abandon|retire|decided against|out of scope|deprecat|not (?:allowed|permitted|chosen|used|offered|accepted))/i;
const ONLY = /\b(?:only|alone|solely|exclusively|nowhere else|nothing else)\b/i;
/** "Keep sessions in Redis" stores them; "keep Redis" stays with it. */
const STAYS =
  /\b(?:stay|stick|remain|continu)(?:s|e|es|ing)?\b|\bkeep(?:s|ing)? (?:using|on|with|to)\b|\bkeep(?:s|ing)?\b(?!.{1,80}\b(?:in|on|inside|within)\b)/i;

/** How much speaks for a sentence choosing what the record rejects; ENOUGH makes it a claim. */
export function choiceOfRejected(
  sentence: ProposedSentence,
  rejected: RecordClaim,
  { proposal, position, weights }: Situation,
): number {
  if (rejected.side !== 'leaves' || quantitiesIn(rejected.text).some(({ bound }) => bound !== 'exact'))
    return 0;
  if (rejected.only !== undefined && !breaksOnly(sentence.asked, rejected.only)) return 0;
  const taken = takenStems(sentence, rejected);
  const shared = rejected.stems.filter((stem) => taken.has(stem));
  const isNamed = shared.some((stem) => proposal.names.has(stem));
  if (!shared.some((stem) => weights.isTelling(stem))) return 0;
  if (!shared.some((stem) => rejected.object.includes(stem))) return 0;
  // A word that everybody uses is not yet the same thing.
  const isLoose = rejected.source === 'mention' || (rejected.source === 'sentence' && shared.length === 1);
  if (isLoose && !isNamed) return 0;
  const chosen = stemsOf(position.claims.filter(({ side, deed }) => side === 'takes' && deed === undefined));
  const untitled = rejected.stems.filter((stem) => !position.subject.has(stem));
  const own = untitled.length === 0 ? rejected.stems : untitled;
  const ownShared = own.filter((stem) => shared.includes(stem));
  const isTold = (stems: readonly string[]) => stems.every((stem) => shared.includes(stem));
  const signs: readonly (readonly [keyof typeof POINTS, boolean | number])[] = [
    ['isAsked', ASKS.test(sentence.text) || !TELLS.test(sentence.text.split(SUBORDINATE)[0] ?? '')],
    ['isRejection', REJECTION.test(rejected.evidence.quote)],
    ['givesUpTheChoice', givenUp(sentence).some((stem) => chosen.has(stem) && weights.isTelling(stem))],
    ['isWholePhrase', isTold(rejected.stems)],
    ['isWholeObject', isTold(rejected.object)],
    [
      'isWholeItem',
      rejected.items.some(({ stems }) => isTold(stems) && stems.some((stem) => weights.isTelling(stem))),
    ],
    ['isDistinct', shared.some((stem) => !chosen.has(stem) && weights.isTelling(stem))],
    ['isExcuse', EXCUSE.test(sentence.text)],
    ['share', weights.sum(shared) / weights.sum(rejected.stems)],
    ['ownShare', weights.sum(ownShared) / weights.sum(own)],
    ['word', Math.min(weights.sum(shared), MOST_WORDS)],
    ['ownWord', Math.min(weights.sum(ownShared), MOST_OWN_WORDS)],
    ['isOnly', rejected.only !== undefined],
    ['isKeeping', KEEPS.test(proposal.text)],
    ['isMention', rejected.source === 'mention'],
    ['isLookedAt', LOOKS.test(sentence.text)],
  ];
  return signs.reduce((sum, [sign, value]) => sum + POINTS[sign] * Number(value), 0);
}

/** What the sentence takes and does not refuse elsewhere; of a forbidden deed, where it does this deed. */
function takenStems({ claims }: ProposedSentence, { deed: wanted, stems }: RecordClaim): ReadonlySet<string> {
  const fitting = claims.filter(
    ({ side, deed, stems: own }) =>
      side === 'takes' &&
      (wanted === undefined ? deed === undefined || stems.includes(deed) : own.includes(wanted)),
  );
  const taken = stemsOf(fitting);
  for (const stem of wanted === undefined ? givenUp({ claims }) : []) taken.delete(stem);
  return taken;
}

function givenUp({ claims }: Pick<ProposedSentence, 'claims'>): readonly string[] {
  return claims
    .filter(({ side, deed }) => side === 'leaves' && deed === undefined)
    .flatMap(({ object }) => object);
}

function stemsOf(claims: readonly Claim[]): Set<string> {
  return new Set(claims.flatMap(({ stems }) => stems));
}

/** "Not in the index only" forbids nothing that does not say "only"; who stays with a thing uses it as before. */
function breaksOnly(asked: string, only: 'forbidden' | 'demanded'): boolean {
  return only === 'forbidden' ? ONLY.test(asked) : !STAYS.test(asked);
}
