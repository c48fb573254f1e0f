import type { AdrPosition } from './adr-position.js';
import type { AdrRecord } from './adr-record.js';
import type { AdrStatus } from './adr-status.js';
import { conflictCandidates, isClaimed } from './conflict-rules.js';
import type { Proposal } from './proposal.js';
import { quantitiesDiffer, quantitiesIn, quantitiesProposed } from './quantity.js';
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

/** What might be a conflict is not called support. */
const DOUBTFUL = 2;
/** Who says one of these and not the other may mean something else. */
const TURNING =
  /\b(?:before|after|until|only|directly|manually|optional|shared|separate|same|public|locally|asynchronous(?:ly)?|synchronous(?:ly)?)\b/g;
const SUPPORTED = 0.7;
const SUPPORTING = 0.5;

/** What a record in force says to a proposal, with both sentences; undefined: its words do not tell. */
export function judge(proposal: Proposal, position: AdrPosition, weights: WordWeights): Finding | undefined {
  const candidates = conflictCandidates({ proposal, position, weights });
  const found = candidates.find(isClaimed);
  if (found !== undefined) {
    const { reason, quote, sentence } = found;
    return { verdict: 'conflicts', reason, evidence: quote, proposed: sentence.text };
  }
  return candidates.some(({ points }) => points > DOUBTFUL)
    ? undefined
    : support(proposal, position, weights);
}

function support(proposal: Proposal, position: AdrPosition, weights: WordWeights): Finding | undefined {
  if (proposal.sentences.some(({ claims }) => claims.some(({ side }) => side === 'leaves'))) return undefined;
  const refused = position.passed
    .filter(({ kind }) => kind === 'refused')
    .map(({ evidence }) => evidence.quote);
  for (const sentence of proposal.sentences) {
    for (const chosen of position.claims) {
      if (chosen.deed !== undefined || chosen.source !== 'sentence') continue;
      if (refused.includes(chosen.evidence.quote)) continue;
      const said = new Set(sentence.claims.flatMap(({ stems }) => stems));
      const shared = chosen.stems.filter((stem) => said.has(stem));
      const telling = chosen.stems.filter((stem) => weights.isTelling(stem));
      const [best = ''] = telling.sort((one, other) => weights.of(other) - weights.of(one));
      if (!shared.includes(best) || shared.length < 2) continue;
      if (weights.sum(shared) < SUPPORTED * weights.sum(chosen.stems)) continue;
      if (weights.sum(shared) < SUPPORTING * weights.sum(sentence.stems)) continue;
      if (differ(sentence.asked, chosen.evidence.quote)) continue;
      const reason = 'The proposal chooses what this decision chose.';
      return { verdict: 'supports', reason, evidence: chosen.evidence, proposed: sentence.text };
    }
  }
  return undefined;
}

function differ(one: string, other: string): boolean {
  const turned = (text: string) => [...new Set(text.toLowerCase().match(TURNING))].sort().join(' ');
  const given = quantitiesProposed(one);
  return (
    turned(one) !== turned(other) ||
    quantitiesIn(other).some((wanted) => given.some((each) => quantitiesDiffer(wanted, each)))
  );
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
