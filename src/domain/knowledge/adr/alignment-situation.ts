import type { AdrGraph } from './adr-graph.js';
import type { AdrRecord } from './adr-record.js';
import type { AdrPosition, Stance } from './adr-stance.js';
import type { AdrStatus } from './adr-status.js';
import type { DecisionProposal } from './decision-proposal.js';
import type { Quote } from './quoted-sentence.js';
import type { WordWeights } from './word-weights.js';

export interface Alignment {
  readonly record: AdrRecord;
  readonly status: AdrStatus;
  readonly verdict: 'supports' | 'conflicts' | 'related';
  /** In words, without the quote. */
  readonly reason: string;
  readonly evidence: Quote;
  /** How much the record has to do with the proposal; larger is more. */
  readonly weight: number;
}

export type Finding = Pick<Alignment, 'verdict' | 'reason' | 'evidence'>;

/** Everything that a verdict is reached from. */
export interface Situation {
  readonly proposal: DecisionProposal;
  readonly positions: readonly AdrPosition[];
  readonly graph: AdrGraph;
  readonly weights: WordWeights;
  /** What some decision in force takes. */
  readonly allowed: ReadonlySet<string>;
  /** How many decisions in force speak of a family of options. */
  readonly speakers: ReadonlyMap<string, number>;
}

export function conflictOf(reason: string, evidence: Quote): Finding {
  return { verdict: 'conflicts', reason, evidence };
}

export function namesOf(stances: readonly Stance[], side: Stance['side']): readonly string[] {
  return stances.filter((stance) => stance.side === side).map(({ name }) => name);
}
