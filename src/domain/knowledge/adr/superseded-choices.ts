import type { AdrPosition, Stance } from './adr-stance.js';
import { conflictOf, type Finding, type Situation } from './alignment-situation.js';
import { sharedStems } from './topic-words.js';
import { isArea } from './word-weights.js';

const RETURNED_SHARE = 0.8;

function supersededBy(position: AdrPosition, { positions, graph }: Situation): readonly AdrPosition[] {
  return positions.filter(
    ({ record }) => record !== position.record && graph.headsOf(record).includes(position.record),
  );
}

/** What a superseded record chose and its head does not is left behind by the head. */
export function inheritedStances(position: AdrPosition, situation: Situation): readonly Stance[] {
  const own = new Set(position.stances.map(({ name }) => name));
  return supersededBy(position, situation)
    .flatMap(({ stances }) => stances.filter(({ side, name }) => side === 'for' && !own.has(name)))
    .map((stance) => ({ ...stance, side: 'against', evidence: position.decision }));
}

/** A proposal that goes back to what a superseded record demanded and its head does not. */
export function returnConflict(position: AdrPosition, situation: Situation): Finding | undefined {
  const { proposal, weights } = situation;
  for (const old of supersededBy(position, situation)) {
    const isBack = old.norms.some(
      ({ kind, stems }) =>
        kind === 'demand' &&
        stems.size > 2 &&
        proposal.sentences.some(({ affirmed }) => {
          const shared = sharedStems(stems, affirmed);
          const isOwn = shared.some((word) => !position.topic.has(word) && !isArea(word));
          return isOwn && weights.sum(shared) >= RETURNED_SHARE * weights.sum(stems);
        }),
    );
    if (isBack) {
      const reason = `The proposal goes back to ${old.record.id}, which this decision replaced.`;
      return conflictOf(reason, position.decision);
    }
  }
  return undefined;
}
