import { nearestNames } from '../../domain/nearest-names.js';

/** What to say of a tool that is none, to a person who may see all that there are. */
export function unknownTool(
  tool: string,
  all: readonly string[],
  nearest: readonly string[] = nearestNames(tool, all),
): string {
  const guess = nearest.length === 0 ? '' : ` Did you mean ${nearest.join(' or ')}?`;
  return `Unknown tool: ${tool}.${guess} The tools here: ${all.join(', ')}.`;
}
