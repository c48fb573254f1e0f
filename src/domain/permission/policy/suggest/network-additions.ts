import type { CommandPlan, ProgramCall } from '../../../command/command-plan.js';
import { baseName, type ProgramFacts } from '../../../command/program-facts.js';
import { isInterpreter } from '../../../command/programs/runners.js';
import { normalisePath } from '../../path/normal-path.js';
import { allowsAnyProgram } from '../command-rules.js';
import type { PolicyLayer, ToolRules } from '../policy-layer.js';
import { type Addition, suggestAdditions } from './addition.js';
import { commandAddition } from './command-additions.js';

/**
 * The lines that would give this command the network: one for each of its programs, because a command line has it
 * only if all of them have. None if the sandbox, a rule or a ceiling keeps it away all the same.
 */
export function networkAdvice(
  base: PolicyLayer,
  [rules, ...ceilings]: readonly (ToolRules | undefined)[],
  plan: CommandPlan,
): string {
  const isOpen = ceilings.every((above) => above?.obligations.network === 'full');
  const additions = isOpen && !plan.unread && !plan.unseen ? networkAdditions(base, rules, plan) : undefined;
  return suggestAdditions(additions, { listed: base.hasAdditions === true });
}

/** The lines that would let commands of this tool reach these hosts. */
export function hostAdvice(base: PolicyLayer, tool: string, hosts: readonly string[]): string {
  const additions = hosts.map((host): Addition => ({ tool, host }));
  return suggestAdditions(additions, { listed: base.hasAdditions === true });
}

function networkAdditions(
  layer: PolicyLayer,
  rules: ToolRules | undefined,
  { programs }: CommandPlan,
): readonly Addition[] | undefined {
  if (rules === undefined || rules.obligations.sandbox?.network !== 'full') return undefined;
  const isAnyAllowed = rules.allowedCommands.rules.some(allowsAnyProgram);
  const found: Addition[] = [];
  for (const call of programs) {
    if (call.possible) continue;
    const facts = factsOf(call, layer.workspace);
    const matching = rules.allowedCommands.matching(facts);
    const concerning = [...matching, ...rules.allowedCommands.concerning(facts)];
    if (concerning.some(({ network }) => network === 'none')) return undefined;
    if (matching.some(({ network }) => network === 'full')) continue;
    const more = facts.interpreter && !isAnyAllowed ? ({ interpreter: true } as const) : {};
    const addition = commandAddition(rules.tool, facts, layer.workspace, { network: 'full', ...more });
    if (addition === undefined) return undefined;
    found.push(addition);
  }
  return found;
}

/** As much as the rules compare. */
function factsOf(call: ProgramCall, workspace: string): ProgramFacts {
  return {
    ...call,
    directory: normalisePath(call.directory, workspace),
    interpreter: isInterpreter(baseName(call.program)),
    location: 'unknown',
    reads: [],
    writes: [],
  };
}
