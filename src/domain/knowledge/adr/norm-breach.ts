import type { Ban, Demand, Norm } from './decision-norm.js';
import type { ProposedSentence } from './decision-proposal.js';
import { saysOpposite } from './opposites.js';
import { quantitiesDiffer } from './quantity.js';
import { sharedStems } from './topic-words.js';
import type { WordWeights } from './word-weights.js';

/** Shares of words that a proposal must have for a norm to be meant by it, and not merely its topic. */
const FORBIDDEN_SHARE = 0.62;
/** Enough where every word of the forbidden thing is there. */
const WHOLE_SHARE = 0.5;
const ALTERNATIVE_SHARE = 0.65;
const REFUSED_SHARE = 0.6;
const VERB_WEIGHT = 0.5;
const TELLING = 0.45;
const UNIT = /^(?:second|minut|hour|dai|week|month|quarter|year)$/;

export interface Judged {
  readonly norm: Norm;
  /** What the record is about: a word of it may stand in for one that the norm leaves out. */
  readonly topic: ReadonlySet<string>;
  readonly weights: WordWeights;
}

/** Why a proposal breaks a norm, in words; undefined where it does not, or where that cannot be told. */
export function breachOf(sentence: ProposedSentence, judged: Judged): string | undefined {
  const { norm } = judged;
  return norm.kind === 'ban' ? banBreach(sentence, norm, judged) : demandBreach(sentence, norm, judged);
}

function banBreach(sentence: ProposedSentence, ban: Ban, { topic, weights }: Judged): string | undefined {
  // Where the deed itself is forbidden, what it is done to counts as well: "delete audit entries".
  const isDeed = [...sentence.deeds].some((deed) => ban.stems.has(deed));
  const affirmed = isDeed ? sentence.stems : sentence.affirmed;
  if (ban.lacking.size > 0 && sharedStems(ban.lacking, sentence.left).length === 0) return undefined;
  const isExcepted = ban.unless.some((words) => [...words].every((word) => affirmed.has(word)));
  if (isExcepted && !saysOpposite(ban.text, sentence.text)) return undefined;
  if (/\b(?:another|others?|foreign)\b/i.test(ban.text) && /\b(?:its|their|our) own\b/i.test(sentence.text)) {
    return undefined;
  }
  // "not in the API": it says itself that it is about something else.
  if ([...ban.subject].some((word) => sentence.left.has(word) && !affirmed.has(word))) return undefined;
  const weigh = (words: Iterable<string>) => {
    const all = [...words];
    const had = all.filter((word) => affirmed.has(word));
    return { all: weights.sum(all), had: weights.sum(had), count: had.length };
  };
  const subject = weigh(ban.subject);
  const verb = ban.verb === undefined ? undefined : affirmed.has(ban.verb);
  const verbWeight = verb === undefined ? 0 : VERB_WEIGHT;
  const near = sharedStems(topic, affirmed).filter((word) => word !== ban.verb && !ban.subject.has(word));
  const isBroken = ban.alternatives.some((words) => {
    const act = weigh(words);
    const around = near.filter((word) => !words.has(word)).length;
    if (act.had < ALTERNATIVE_SHARE * act.all) return false;
    const had = act.had + subject.had + (verb ? verbWeight : 0);
    const all = act.all + subject.all + verbWeight;
    const count = act.count + subject.count + (verb ? 1 : 0) + Math.min(1, around);
    const telling = [...words].filter((word) => weights.of(word) >= TELLING).length;
    // A thing that is told by one word and a common one is meant only where both are said.
    if (telling < 2 && act.count < words.size) return false;
    const whole = act.count === words.size && telling > 1;
    return had >= (whole ? WHOLE_SHARE : FORBIDDEN_SHARE) * all && count >= 2;
  });
  return isBroken ? 'The proposal does what this decision forbids.' : undefined;
}

function demandBreach(sentence: ProposedSentence, demand: Demand, judged: Judged): string | undefined {
  if (leavesOut(sentence, demand, judged)) return 'The proposal does without what this decision requires.';
  if (goesAround(sentence, demand, judged))
    return 'The proposal goes around the way that this decision requires.';
  const shared = sharedStems(demand.stems, sentence.affirmed);
  const telling = shared.filter((word) => judged.weights.of(word) >= TELLING && !UNIT.test(word));
  if (telling.length < 2) return undefined;
  const differs = demand.quantities.some((wanted) => {
    const given = sentence.quantities.filter(({ kind }) => kind === wanted.kind);
    return given.length > 0 && given.every((quantity) => quantitiesDiffer(wanted, quantity));
  });
  if (differs) return 'The proposal names another figure than this decision.';
  if (demand.quantities.length > 0 && sentence.quantities.length > 0) return undefined;
  return saysOpposite(demand.text, sentence.text)
    ? 'The proposal says the opposite of this decision.'
    : undefined;
}

function leavesOut(sentence: ProposedSentence, { stems }: Demand, { topic, weights }: Judged): boolean {
  const near = sharedStems(new Set([...stems, ...topic]), sentence.stems);
  // A record that speaks of removing something may well be what the proposal follows.
  const { deeds } = sentence;
  // What is deleted in its time was kept until then.
  if (deeds.size === 1 && deeds.has('delet')) return false;
  if (near.length < 2 || [...deeds].some((deed) => topic.has(deed))) return false;
  return sentence.refused.some((phrase) => {
    // What is also affirmed is not left: "once a run instead of once a test".
    const had = [...phrase].filter((word) => stems.has(word) && !sentence.affirmed.has(word));
    return weights.sum(had) >= REFUSED_SHARE * weights.sum(phrase) && weights.sum(had) >= TELLING;
  });
}

/** "All X goes through Y": X is reached directly, and Y is not spoken of. */
function goesAround(
  { text, affirmed }: ProposedSentence,
  { stems, way }: Demand,
  { weights }: Judged,
): boolean {
  if (way.size === 0 || !affirmed.has('direct') || /\bdirectly (?:after|before|below|above)\b/i.test(text))
    return false;
  if ([...way].some((word) => affirmed.has(word) && weights.of(word) >= TELLING)) return false;
  const object = [...stems].filter((word) => !way.has(word) && affirmed.has(word));
  return object.some((word) => weights.of(word) >= TELLING);
}
