import type { AdrPosition } from './adr-position.js';
import type { AdrRecord } from './adr-record.js';
import type { AdrStatus } from './adr-status.js';
import { CONFLICT_RULES, isExempt } from './conflict-rules.js';
import { saysOpposite } from './opposites.js';
import type { Proposal } from './proposal.js';
import { quantitiesDiffer, quantitiesIn } from './quantity.js';
import type { Quote } from './quoted-sentence.js';
import type { WordWeights } from './word-weights.js';

export type Verdict = 'supports' | 'conflicts' | 'related';

export interface Finding {
  readonly verdict: Verdict;
  /** In words, without the quotes. */
  readonly reason: string;
  /** The sentence of the record; absent where nothing more than "related" is said. */
  readonly evidence?: Quote;
  /** The sentence of the proposal. */
  readonly proposed?: string;
}

const HALF = 0.5;
const SUPPORTED = 0.7;
const SUPPORTING = 0.5;

/** What a record in force says to a proposal, with both sentences; undefined: its words do not tell. */
export function judge(
  proposal: Proposal,
  position: AdrPosition,
  weights: WordWeights,
  isFirst: boolean,
): Finding | undefined {
  const situation = { proposal, position, weights, isFirst };
  for (const [rule, reason] of CONFLICT_RULES) {
    for (const sentence of proposal.sentences) {
      const broken = position.claims.find(
        (claim) => !isExempt(sentence, claim, position) && rule(sentence, claim, situation),
      );
      if (broken === undefined) continue;
      return { verdict: 'conflicts', reason, evidence: broken.evidence, proposed: sentence.text };
    }
  }
  return support(proposal, position, weights);
}

function support(proposal: Proposal, position: AdrPosition, weights: WordWeights): Finding | undefined {
  const leaving = position.claims.filter(({ side }) => side === 'leaves');
  const leaves = new Set(leaving.flatMap(({ stems }) => stems));
  const takes = new Set(position.claims.filter(({ side }) => side === 'takes').flatMap(({ stems }) => stems));
  const isDoubtful = proposal.sentences.some(({ stems }) =>
    [...stems].some((stem) => leaves.has(stem) && !takes.has(stem)),
  );
  const isNearlyLeft = leaving.some(({ stems }) => {
    const said = stems.filter((stem) => proposal.words.has(stem));
    return said.length > 0 && said.length >= stems.length * HALF;
  });
  if (
    isNearlyLeft ||
    isDoubtful ||
    proposal.sentences.some(({ claims }) => claims.some(({ side }) => side === 'leaves'))
  )
    return undefined;
  for (const sentence of proposal.sentences) {
    for (const chosen of position.claims) {
      if (chosen.side !== 'takes' || chosen.deed !== undefined || chosen.source !== 'sentence') continue;
      if (leaving.some(({ evidence }) => evidence.quote === chosen.evidence.quote)) continue;
      const said = new Set(sentence.claims.flatMap(({ stems }) => stems));
      const shared = chosen.stems.filter((stem) => said.has(stem));
      const best = mostTelling(chosen.stems, weights);
      if (best === undefined || !shared.includes(best) || shared.length < 2) continue;
      if (weights.sum(shared) < SUPPORTED * weights.sum(chosen.stems)) continue;
      if (weights.sum(shared) < SUPPORTING * weights.sum(sentence.stems)) continue;
      if (differ(sentence.text, chosen.evidence.quote)) continue;
      const reason = 'The proposal chooses what this decision chose.';
      return { verdict: 'supports', reason, evidence: chosen.evidence, proposed: sentence.text };
    }
  }
  return undefined;
}

function differ(one: string, other: string): boolean {
  if (saysOpposite(one, other)) return true;
  const given = quantitiesIn(one);
  return quantitiesIn(other).some((wanted) => given.some((each) => quantitiesDiffer(wanted, each)));
}

function mostTelling(stems: readonly string[], weights: WordWeights): string | undefined {
  return stems.filter((stem) => weights.isTelling(stem)).sort((a, b) => weights.of(b) - weights.of(a))[0];
}

export function whyRelated(status: AdrStatus, heads: readonly AdrRecord[]): string {
  switch (status) {
    case 'accepted':
    case 'unknown':
      return 'Read this before deciding: it speaks of the same things, and its words do not tell whether they agree.';
    case 'proposed':
      return 'Not decided yet: it speaks of the same things.';
    case 'rejected':
      return 'Proposed and rejected: read why before proposing it again.';
    case 'deprecated':
      return 'No longer in force: it speaks of the same things.';
    case 'superseded': {
      const judged = heads.map(({ id }) => id).join(' and ');
      return judged === '' ? 'Superseded.' : `Superseded; ${judged} is judged in its place.`;
    }
  }
}
