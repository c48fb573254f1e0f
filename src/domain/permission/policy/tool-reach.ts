import { readDeniesIn } from '../path/check-paths.js';
import { hidesFolderEntry } from '../path/path-bounds.js';
import type { PolicyLayer, ToolRules } from './policy-layer.js';

/** Returns a function that tells which entries of one directory a tool may read. */
export function readableUnder(
  layer: PolicyLayer,
  rules: ToolRules,
  folder: string,
): (name: string) => boolean {
  const denied = readDeniesIn(layer, rules, folder);
  const allowed = rules.allowedPaths.coversIn(folder);
  const isBeyond = hidesFolderEntry(layer.bounds, folder);
  return (name) => allowed(name) && !denied(name) && !isBeyond(name);
}

/** False if every request of the tool is refused. */
export function hasAnyAllow(rules: ToolRules): boolean {
  if (rules.allowedModels?.names.length === 0 || rules.consent.mode === 'deny') return false;
  return rules.capabilities.every((capability) =>
    capability === 'command' ? !rules.allowedCommands.isEmpty : !rules.allowedPaths.isEmpty,
  );
}
