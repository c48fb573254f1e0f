import { nearestNames } from '../../domain/nearest-names.js';

/** The message about an unknown tool, for a person who may see all tools. */
export function unknownTool(
  tool: string,
  all: readonly string[],
  nearest: readonly string[] = nearestNames(tool, all),
): string {
  const guess = nearest.length === 0 ? '' : ` Did you mean ${nearest.join(' or ')}?`;
  return `Unknown tool: ${tool}.${guess} The tools here: ${all.join(', ')}.`;
}
