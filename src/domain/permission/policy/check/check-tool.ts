import type { Caller } from '../../../session/caller.js';
import { normaliseToolName } from '../../../tool/tool-name.js';
import { ruledBy } from '../background-rule.js';
import { type Denial, deny } from '../decision.js';
import { type PolicyLayer, rulesFor, type ToolRules } from '../policy-layer.js';
import { rolesMayUse, rolesOf } from '../policy-roles.js';
import type { RulePosition } from '../rule-position.js';

/** Checks what does not depend on the arguments: whether the tool exists for this caller. */
export function checkAdmission(layer: PolicyLayer, caller: Caller, name: string): Denial | undefined {
  const tool = findTool(layer, name);
  if ('effect' in tool) return tool;
  const roles = rolesOf(layer, caller);
  return rolesMayUse(layer, roles, tool.tool) ? undefined : wrongRole(layer, tool, roles);
}

/** The rules of a tool that is listed and enabled. */
export function findTool(layer: PolicyLayer, name: string): ToolRules | Denial {
  const normal = normaliseToolName(name);
  const tool = rulesFor(layer, name);
  const subject = { kind: 'tool', text: name } as const;
  if (tool === undefined) {
    // The file says nothing about the tool, so the position is the file as a whole.
    const silence = { file: layer.name, line: 1, column: 1 };
    const known = layer.knownTools.get(normal) ?? (layer.embedded?.has(normal) === true ? [] : undefined);
    if (known !== undefined && ruledBy(name) !== name) return withoutBackground(name, silence);
    return known !== undefined
      ? deny(
          'NO_ALLOW',
          subject,
          `${name} has no entry under tools.`,
          `The policy does not allow ${name}.`,
          silence,
        )
      : deny(
          'UNKNOWN_TOOL',
          subject,
          `${name} is no tool.`,
          'Call tools/list for the available tools.',
          silence,
        );
  }
  if (tool.enabled) return tool;
  return deny(
    'DISABLED',
    subject,
    `${name} is switched off.`,
    `${name} is switched off here (enabled: false at its entry). Only the user can switch it on.`,
    tool.at,
  );
}

/** A tool that follows another tool's entry cannot be missing an entry. */
function withoutBackground(name: string, silence: RulePosition): Denial {
  const governing = ruledBy(name);
  const more = name === 'process_input' ? ', for every program' : '';
  return deny(
    'NO_ALLOW',
    { kind: 'tool', text: name },
    `${governing} has no background${more}.`,
    `${name} needs commands that may run in the background${more}: background at ${governing} in the policy.`,
    silence,
  );
}

export function wrongRole(layer: PolicyLayer, tool: ToolRules, roles: readonly string[]): Denial {
  const held = roles.length === 0 ? 'no role' : `the role ${roles.join(', ')}`;
  return deny(
    'ROLE',
    { kind: 'tool', text: tool.tool },
    `The caller has ${held}, which does not include ${tool.tool}.`,
    'Call tools/list for the available tools.',
    roles.map((role) => layer.roles.get(role)?.at).find((at) => at !== undefined) ?? tool.at,
  );
}
