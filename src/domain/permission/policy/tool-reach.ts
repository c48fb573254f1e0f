import { readDeniesIn } from '../path/check-paths.js';
import { hidesFolderEntry } from '../path/path-bounds.js';
import { type PolicyLayer, rulesFor, type ToolRules } from './policy-layer.js';
import { DEFAULT_ROLE, rolesMayUse } from './policy-roles.js';

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

/** What a role could use with some arguments. */
export interface RoleGrant {
  readonly role: string;
  readonly tools: readonly string[];
}

export function couldUse(
  layers: readonly PolicyLayer[],
  rolesIn: (layer: PolicyLayer) => readonly string[],
  tool: string,
): boolean {
  return layers.every((layer) => {
    const rules = rulesFor(layer, tool);
    if (rules === undefined || !rules.enabled) return false;
    return rolesMayUse(layer, rolesIn(layer), rules.tool) && hasAnyAllow(rules);
  });
}

export function roleGrants(
  layers: readonly PolicyLayer[],
  base: PolicyLayer,
  tools: readonly string[],
): readonly RoleGrant[] {
  const roles = [...new Set([DEFAULT_ROLE, ...base.roles.keys()])];
  return roles.map((role) => ({ role, tools: tools.filter((tool) => couldUse(layers, () => [role], tool)) }));
}
