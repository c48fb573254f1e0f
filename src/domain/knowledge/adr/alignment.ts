import type { AdrGraph } from './adr-graph.js';
import type { AdrRecord } from './adr-record.js';
import type { AdrPosition, Stance } from './adr-stance.js';
import type { AdrStatus } from './adr-status.js';
import { type Alignment, conflictOf, type Finding, namesOf, type Situation } from './alignment-situation.js';
import type { DecisionProposal } from './decision-proposal.js';
import { breachOf } from './norm-breach.js';
import { nearness, optionConflict } from './option-conflict.js';
import { inheritedStances, returnConflict } from './superseded-choices.js';
import { sharedStems } from './topic-words.js';
import { WordWeights } from './word-weights.js';

const SUPPORTED_SHARE = 0.6;
const RELATED_WEIGHT = 1;

/** What every record says to the proposal. Only what is in force can conflict; the rest is at most related. */
export function alignProposal(
  proposal: DecisionProposal,
  positions: readonly AdrPosition[],
  graph: AdrGraph,
): readonly Alignment[] {
  const inForce = positions.filter(({ record }) => graph.statusOf(record) === 'accepted');
  const allowed = new Set(inForce.flatMap(({ stances }) => namesOf(stances, 'for')));
  const weights = new WordWeights(
    positions.map(({ topic, background }) => new Set([...topic, ...background])),
  );
  const situation: Situation = {
    proposal,
    positions,
    graph,
    weights,
    allowed,
    speakers: speakersOf(inForce),
  };
  return positions
    .flatMap((position) => {
      const { record } = position;
      const status = graph.statusOf(record);
      const weight = weights.sum(sharedStems(position.topic, proposal.stems));
      const judged = status === 'accepted' ? judge(position, situation) : undefined;
      const finding = judged ?? related(position, status, weight, graph);
      return finding === undefined ? [] : [{ record, status, weight, ...finding }];
    })
    .sort((a, b) => rank(b) - rank(a));
}

function speakersOf(positions: readonly AdrPosition[]): ReadonlyMap<string, number> {
  const speakers = new Map<string, number>();
  for (const { stances } of positions) {
    for (const family of new Set(stances.map((stance) => stance.family))) {
      if (family !== undefined) speakers.set(family, (speakers.get(family) ?? 0) + 1);
    }
  }
  return speakers;
}

function judge(position: AdrPosition, situation: Situation): Finding | undefined {
  const { proposal, positions, graph } = situation;
  const stances = [...position.stances, ...inheritedStances(position, situation)];
  const conflict =
    optionConflict(position, stances, situation) ??
    ruleConflict(position, situation) ??
    returnConflict(position, situation);
  if (conflict === undefined) return support(position, stances, situation);
  if (proposal.isTrial && !position.topic.has('test')) return undefined;
  const taken = proposal.options('for').map(({ name }) => name);
  const changed = positions.find(
    (other) =>
      graph.amendmentsOf(position.record).includes(other.record) &&
      graph.statusOf(other.record) === 'accepted' &&
      other.stances.some(
        (stance) =>
          stance.side === 'for' &&
          taken.includes(stance.name) &&
          nearness(other, stance, situation) === 'same',
      ),
  );
  if (changed === undefined) return conflict;
  return {
    ...conflict,
    verdict: 'related',
    reason: `${changed.record.id} amends this record and takes the proposal's side.`,
  };
}

function ruleConflict({ norms, topic }: AdrPosition, { proposal, weights }: Situation): Finding | undefined {
  for (const norm of norms) {
    for (const sentence of proposal.sentences) {
      const reason = breachOf(sentence, { norm, topic, weights });
      if (reason !== undefined) return conflictOf(reason, norm.evidence);
    }
  }
  return undefined;
}

function support(
  position: AdrPosition,
  stances: readonly Stance[],
  situation: Situation,
): Finding | undefined {
  const { proposal, weights } = situation;
  const near = stances.filter((stance) => nearness(position, stance, situation) !== 'other');
  for (const side of ['for', 'against'] as const) {
    const names = proposal.options(side).map(({ name }) => name);
    const same = near.find((stance) => stance.side === side && names.includes(stance.name));
    if (same === undefined) continue;
    const reason =
      side === 'for'
        ? `This decision chose ${same.name} too.`
        : `This decision turned ${same.name} down too.`;
    return { verdict: 'supports', evidence: same.evidence, reason };
  }
  const kept = position.norms.find(
    ({ kind, stems }) =>
      kind === 'demand' &&
      stems.size > 2 &&
      proposal.sentences.some(
        ({ affirmed }) => weights.sum(sharedStems(stems, affirmed)) >= SUPPORTED_SHARE * weights.sum(stems),
      ),
  );
  if (kept === undefined) return undefined;
  return {
    verdict: 'supports',
    evidence: kept.evidence,
    reason: 'The proposal does what this decision requires.',
  };
}

function related(
  { decision, record }: AdrPosition,
  status: AdrStatus,
  weight: number,
  graph: AdrGraph,
): Finding | undefined {
  if (weight < RELATED_WEIGHT || decision.quote === '') return undefined;
  const heads = graph.headsOf(record).filter((head) => head !== record);
  return { verdict: 'related', evidence: decision, reason: whyRelated(status, heads) };
}

function whyRelated(status: AdrStatus, heads: readonly AdrRecord[]): string {
  switch (status) {
    case 'accepted':
    case 'unknown':
      return 'It speaks of the same things; whether they agree cannot be told from its words.';
    case 'proposed':
      return 'It is not decided yet and speaks of the same things.';
    case 'rejected':
      return 'It was proposed and rejected; read why before it is proposed again.';
    case 'deprecated':
      return 'It is no longer in force and speaks of the same things.';
    case 'superseded': {
      const judged = heads.map(({ id }) => id).join(' and ');
      return judged === '' ? 'It is superseded.' : `It is superseded; ${judged} is judged in its place.`;
    }
  }
}

function rank({ verdict, weight }: Alignment): number {
  const first = verdict === 'conflicts' ? 2000 : verdict === 'supports' ? 1000 : 0;
  return first + Math.min(weight, 999);
}
