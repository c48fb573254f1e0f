import { type PolicyLayer, rulesFor } from './policy-layer.js';
import { DEFAULT_ROLE, rolesMayUse } from './policy-roles.js';
import { hasAnyAllow } from './tool-reach.js';

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
