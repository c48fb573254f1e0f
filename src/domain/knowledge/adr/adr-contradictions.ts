import type { AdrGraph, AdrProblem } from './adr-graph.js';
import type { AdrPosition, Stance } from './adr-stance.js';
import { isArea } from './word-weights.js';

interface Placed {
  readonly position: AdrPosition;
  readonly stance: Stance;
}

/** Decisions in force of which one takes what the other turned down, for the same purpose. */
export function contradictionsBetween(
  positions: readonly AdrPosition[],
  graph: AdrGraph,
): readonly AdrProblem[] {
  const inForce = positions.filter(({ record }) => graph.statusOf(record) === 'accepted');
  const chosen = new Map<string, Placed[]>();
  for (const placed of stancesOf(inForce, 'for')) {
    chosen.set(placed.stance.name, [...(chosen.get(placed.stance.name) ?? []), placed]);
  }
  return stancesOf(inForce, 'against').flatMap((refusing) =>
    (chosen.get(refusing.stance.name) ?? [])
      .filter((taking) => contradict(refusing, taking, graph))
      .map(({ position, stance }) => ({
        path: refusing.position.record.source.path,
        line: refusing.stance.evidence.line,
        problem: `${refusing.position.record.id} turns ${stance.name} down, and ${position.record.id} takes it (${position.record.source.path}:${stance.evidence.line}).`,
      })),
  );
}

function stancesOf(positions: readonly AdrPosition[], side: Stance['side']): readonly Placed[] {
  return positions.flatMap((position) =>
    position.stances.filter((stance) => stance.side === side).map((stance) => ({ position, stance })),
  );
}

function contradict(refusing: Placed, taking: Placed, graph: AdrGraph): boolean {
  const [a, b] = [refusing.position.record, taking.position.record];
  if (a === b || graph.amendmentsOf(a).includes(b) || graph.amendmentsOf(b).includes(a)) return false;
  const [first, second] = [purposeOf(refusing.stance), purposeOf(taking.stance)];
  return first.length + second.length === 0 || first.some((word) => second.includes(word));
}

function purposeOf({ scope }: Stance): readonly string[] {
  return [...scope].filter((word) => !isArea(word));
}
