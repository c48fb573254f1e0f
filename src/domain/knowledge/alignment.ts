import type { AdrGraph } from './adr-graph.js';
import type { AdrRecord } from './adr-record.js';
import type { AdrPosition, Stance } from './adr-stance.js';
import type { AdrStatus } from './adr-status.js';
import type { DecisionProposal } from './decision-proposal.js';
import type { Quote } from './quoted-sentence.js';
import { sharedStems } from './topic-words.js';

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

/** Families of which several live side by side: only a shared purpose makes two of them rivals. */
const SIDE_BY_SIDE = new Set([
  'wire format',
  'authentication',
  'identity',
  'config format',
  'storage',
  'tracing',
]);
const FORBIDDEN_SHARE = 0.6;
const REFUSED_SHARE = 0.4;
const SUPPORTED_SHARE = 0.6;
const RELATED_WEIGHT = 2;

/** What every record says to the proposal. Only what is in force can conflict; the rest is at most related. */
export function alignProposal(
  proposal: DecisionProposal,
  positions: readonly AdrPosition[],
  graph: AdrGraph,
): readonly Alignment[] {
  const inForce = positions.filter(({ record }) => graph.statusOf(record) === 'accepted');
  const allowed = new Set(inForce.flatMap(({ stances }) => namesOf(stances, 'for')));
  return positions
    .flatMap((position) => {
      const { record } = position;
      const status = graph.statusOf(record);
      const weight = weightOf(proposal, position, positions);
      const amended = positions.filter((other) => graph.amendmentsOf(record).includes(other.record));
      const judged = status === 'accepted' ? judge(proposal, position, amended, allowed) : undefined;
      const finding = judged ?? related(position, status, weight, graph);
      return finding === undefined ? [] : [{ record, status, weight, ...finding }];
    })
    .sort((a, b) => rank(b) - rank(a));
}

function judge(
  proposal: DecisionProposal,
  position: AdrPosition,
  amendments: readonly AdrPosition[],
  allowed: ReadonlySet<string>,
): Finding | undefined {
  const near = position.stances.filter((stance) => sharesPurpose(proposal, stance));
  const conflict = optionConflict(proposal, near, allowed) ?? ruleConflict(proposal, position);
  if (conflict === undefined) return support(proposal, near, position);
  const taken = proposal.options('for').map(({ name }) => name);
  const changed = amendments.find(({ stances }) =>
    namesOf(stances, 'for').some((name) => taken.includes(name)),
  );
  if (changed === undefined) return conflict;
  return {
    ...conflict,
    verdict: 'related',
    reason: `${changed.record.id} amends this record and takes the proposal's side.`,
  };
}

function sharesPurpose(proposal: DecisionProposal, { scope, family }: Stance): boolean {
  if (proposal.touchesEverything) return true;
  if (scope.size === 0) return family === undefined || !SIDE_BY_SIDE.has(family);
  return sharedStems(scope, proposal.stems).length > 0;
}

function optionConflict(
  proposal: DecisionProposal,
  stances: readonly Stance[],
  allowed: ReadonlySet<string>,
): Finding | undefined {
  const taken = proposal.options('for');
  const left = proposal.options('against');
  const chosen = new Set(namesOf(stances, 'for'));
  for (const stance of stances) {
    const { name, family, stems, side, evidence } = stance;
    const sideOn = stems.length > 0 ? proposal.sideOn(stems) : undefined;
    if (side === 'against' && (taken.some((option) => option.name === name) || sideOn === 'for')) {
      return {
        verdict: 'conflicts',
        evidence,
        reason: `The proposal takes ${name}, which this decision turned down.`,
      };
    }
    if (side === 'for' && left.some((option) => option.name === name)) {
      return {
        verdict: 'conflicts',
        evidence,
        reason: `The proposal leaves ${name}, which this decision chose.`,
      };
    }
    if (side !== 'for' || taken.some((option) => option.name === name)) continue;
    const rival = taken.find(
      (option) => option.family === family && !chosen.has(option.name) && !allowed.has(option.name),
    );
    if (rival !== undefined) {
      const reason = `The proposal takes ${rival.name} where this decision chose ${name}.`;
      return { verdict: 'conflicts', evidence, reason };
    }
  }
  return undefined;
}

function ruleConflict(proposal: DecisionProposal, { commandments }: AdrPosition): Finding | undefined {
  for (const { side, stems, evidence } of commandments) {
    if (side === 'against' && proposal.affirms(stems) >= FORBIDDEN_SHARE) {
      return { verdict: 'conflicts', evidence, reason: 'The proposal does what this decision forbids.' };
    }
    if (side === 'for' && proposal.refuses(stems) >= REFUSED_SHARE) {
      return {
        verdict: 'conflicts',
        evidence,
        reason: 'The proposal does without what this decision requires.',
      };
    }
  }
  return undefined;
}

function support(
  proposal: DecisionProposal,
  stances: readonly Stance[],
  { commandments }: AdrPosition,
): Finding | undefined {
  for (const side of ['for', 'against'] as const) {
    const names = proposal.options(side).map(({ name }) => name);
    const same = stances.find((stance) => stance.side === side && names.includes(stance.name));
    if (same === undefined) continue;
    const reason =
      side === 'for'
        ? `This decision chose ${same.name} too.`
        : `This decision turned ${same.name} down too.`;
    return { verdict: 'supports', evidence: same.evidence, reason };
  }
  const kept = commandments.find(
    ({ side, stems }) => side === 'for' && proposal.affirms(stems) >= SUPPORTED_SHARE,
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

/** Rare words that both have tell more than common ones. */
function weightOf(proposal: DecisionProposal, { topic }: AdrPosition, all: readonly AdrPosition[]): number {
  return sharedStems(topic, proposal.stems).reduce((sum, word) => {
    const having = all.filter((position) => position.topic.has(word)).length;
    return sum + Math.log(1 + all.length / having);
  }, 0);
}

function namesOf(stances: readonly Stance[], side: Stance['side']): readonly string[] {
  return stances.filter((stance) => stance.side === side).map(({ name }) => name);
}

function rank({ verdict, weight }: Alignment): number {
  const first = verdict === 'conflicts' ? 2000 : verdict === 'supports' ? 1000 : 0;
  return first + Math.min(weight, 999);
}
