import type { AdrPosition, Stance } from './adr-stance.js';
import { conflictOf, type Finding, namesOf, type Situation } from './alignment-situation.js';
import { roleWords } from './option-families.js';
import { SIDE_BY_SIDE } from './option-table.js';
import { isArea } from './word-weights.js';

const NEAR_WEIGHT = 0.5;

type Nearness = 'same' | 'near' | 'other';

/** Whether the proposal is about what a stance is said of. */
export function nearness(
  { background, topic }: AdrPosition,
  { scope, family, side, isGeneral = false }: Stance,
  { proposal, weights, speakers }: Situation,
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
  if (weights.sum(around) >= NEAR_WEIGHT) return 'near';
  // What the only decision on a kind of thing turns down without a purpose is turned down for all of them.
  const isOnly = family !== undefined && speakers.get(family) === 1;
  return side === 'against' && isGeneral && isOnly ? 'near' : 'other';
}

export function optionConflict(
  position: AdrPosition,
  stances: readonly Stance[],
  situation: Situation,
): Finding | undefined {
  const { proposal, allowed } = situation;
  const taken = proposal.options('for');
  const left = proposal.options('against');
  const chosen = new Set(namesOf(stances, 'for'));
  const isTestOnly = proposal.stems.has('test') && !position.topic.has('test');
  for (const stance of stances) {
    const near = nearness(position, stance, situation);
    if (near === 'other' || (stance.family === undefined && near !== 'same')) continue;
    const { name, family, stems, side, evidence } = stance;
    const sideOn =
      stems.length > 0 && !isPartOfAnother(stance, stances, situation) ? proposal.sideOn(stems) : undefined;
    // What another decision takes is turned down here for the purpose of this one only.
    const elsewhere = allowed.has(name) && near !== 'same';
    const isTaken = taken.some((option) => option.name === name) || sideOn === 'for';
    if (side === 'against' && isTaken && !elsewhere) {
      return conflictOf(`The proposal takes ${name}, which this decision turned down.`, evidence);
    }
    if (side === 'against') continue;
    if (left.some((option) => option.name === name) || sideOn === 'against') {
      return conflictOf(`The proposal leaves ${name}, which this decision chose.`, evidence);
    }
    if (near !== 'same' || isTestOnly || family === undefined || taken.some((option) => option.name === name))
      continue;
    const rival = taken.find(
      (option) => option.family === family && !chosen.has(option.name) && !allowed.has(option.name),
    );
    if (rival !== undefined) {
      return conflictOf(`The proposal takes ${rival.name} where this decision chose ${name}.`, evidence);
    }
  }
  return undefined;
}

/** "Git" is not meant by a proposal that speaks of "Git LFS". */
function isPartOfAnother({ stems }: Stance, stances: readonly Stance[], { proposal }: Situation): boolean {
  return stances.some(
    (other) =>
      other.stems.length > stems.length &&
      stems.every((word) => other.stems.includes(word)) &&
      proposal.sideOn(other.stems) !== undefined,
  );
}
