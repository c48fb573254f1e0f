import type { AdrGraph } from './adr-graph.js';
import type { AdrRecord } from './adr-record.js';
import type { AdrPosition, Stance } from './adr-stance.js';
import type { AdrStatus } from './adr-status.js';
import type { DecisionProposal } from './decision-proposal.js';
import { breachOf } from './norm-breach.js';
import { roleWords } from './option-families.js';
import { SIDE_BY_SIDE } from './option-table.js';
import type { Quote } from './quoted-sentence.js';
import { sharedStems } from './topic-words.js';
import { isArea, WordWeights } from './word-weights.js';

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

type Finding = Pick<Alignment, 'verdict' | 'reason' | 'evidence'>;

const SUPPORTED_SHARE = 0.6;
const RELATED_WEIGHT = 1;
const NEAR_WEIGHT = 0.5;

interface Situation {
  readonly proposal: DecisionProposal;
  readonly positions: readonly AdrPosition[];
  readonly graph: AdrGraph;
  readonly weights: WordWeights;
  /** What some decision in force takes. */
  readonly allowed: ReadonlySet<string>;
}

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
  const situation: Situation = { proposal, positions, graph, weights, allowed };
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

function judge(position: AdrPosition, situation: Situation): Finding | undefined {
  const { proposal, positions, graph } = situation;
  const stances = [...position.stances, ...inherited(position, situation)];
  const conflict = optionConflict(position, stances, situation) ?? ruleConflict(position, situation);
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

/** What a superseded record chose and its head does not is left behind by the head. */
function inherited(position: AdrPosition, { positions, graph }: Situation): readonly Stance[] {
  const own = new Set(position.stances.map(({ name }) => name));
  return positions
    .filter(({ record }) => record !== position.record && graph.headsOf(record).includes(position.record))
    .flatMap(({ stances }) => stances.filter(({ side, name }) => side === 'for' && !own.has(name)))
    .map((stance) => ({ ...stance, side: 'against', evidence: position.decision }));
}

type Nearness = 'same' | 'near' | 'other';

/** Whether the proposal is about what a stance is said of. */
function nearness(
  { background, topic }: AdrPosition,
  { scope, family }: Stance,
  { proposal, weights }: Situation,
): Nearness {
  const { purpose } = proposal;
  const specific = [...scope].filter((word) => !isArea(word));
  const areas = [...scope].filter(isArea);
  const roles = roleWords(family);
  if (proposal.touchesEverything || [...purpose].every((word) => isArea(word) || roles.has(word)))
    return 'same';
  if (specific.some((word) => purpose.has(word))) return 'same';
  if (specific.length === 0) {
    const elsewhere = [...purpose].filter(isArea);
    if (areas.length > 0 && elsewhere.length > 0 && !areas.some((area) => purpose.has(area))) return 'other';
    return family !== undefined && SIDE_BY_SIDE.has(family) ? 'near' : 'same';
  }
  const around = [...background, ...topic].filter((word) => purpose.has(word) && !isArea(word));
  return weights.sum(around) >= NEAR_WEIGHT ? 'near' : 'other';
}

function optionConflict(
  position: AdrPosition,
  stances: readonly Stance[],
  situation: Situation,
): Finding | undefined {
  const { proposal, allowed } = situation;
  const taken = proposal.options('for');
  const left = proposal.options('against');
  const chosen = new Set(namesOf(stances, 'for'));
  for (const stance of stances) {
    const near = nearness(position, stance, situation);
    if (near === 'other') continue;
    const { name, family, stems, side, evidence } = stance;
    const sideOn = stems.length > 0 ? proposal.sideOn(stems) : undefined;
    if (side === 'against' && (taken.some((option) => option.name === name) || sideOn === 'for')) {
      return conflictOf(`The proposal takes ${name}, which this decision turned down.`, evidence);
    }
    if (side === 'against') continue;
    if (left.some((option) => option.name === name) || sideOn === 'against') {
      return conflictOf(`The proposal leaves ${name}, which this decision chose.`, evidence);
    }
    if (near !== 'same' || family === undefined || taken.some((option) => option.name === name)) continue;
    const rival = taken.find(
      (option) => option.family === family && !chosen.has(option.name) && !allowed.has(option.name),
    );
    if (rival !== undefined) {
      return conflictOf(`The proposal takes ${rival.name} where this decision chose ${name}.`, evidence);
    }
  }
  return undefined;
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

function conflictOf(reason: string, evidence: Quote): Finding {
  return { verdict: 'conflicts', reason, evidence };
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

function namesOf(stances: readonly Stance[], side: Stance['side']): readonly string[] {
  return stances.filter((stance) => stance.side === side).map(({ name }) => name);
}

function rank({ verdict, weight }: Alignment): number {
  const first = verdict === 'conflicts' ? 2000 : verdict === 'supports' ? 1000 : 0;
  return first + Math.min(weight, 999);
}
