import type { CommandPlan, ProgramCall } from '../../../command/command-plan.js';
import { baseName, type ProgramFacts } from '../../../command/program-facts.js';
import { isInterpreter } from '../../../command/programs/runners.js';
import { normalisePath } from '../../path/normal-path.js';
import { allowsAnyProgram } from '../command-rules.js';
import type { PolicyLayer, ToolRules } from '../policy-layer.js';
import { type Addition, suggestAdditions } from './addition.js';
import { commandAddition } from './command-additions.js';

/**
 * The lines that would give this command the network: one per program, because a command line has it only if
 * all of them have. None if the sandbox, a rule or a ceiling would still deny it. For a list of hosts, the lines that
 * would add them.
 */
export function networkAdvice(
  base: PolicyLayer,
  [rules, ...ceilings]: readonly (ToolRules | undefined)[],
  missing: CommandPlan | readonly string[],
): string {
  const listed = base.hasAdditions === true;
  if (!('programs' in missing))
    return suggestAdditions(rules && missing.map((host): Addition => ({ tool: rules.tool, host })), {
      listed,
    });
  const isOpen = ceilings.every((above) => above?.obligations.network === 'full');
  const isRead = !missing.unread && !missing.unseen;
  const additions = isOpen && isRead ? networkAdditions(base, rules, missing) : undefined;
  return suggestAdditions(additions, { listed });
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

/** The facts that rules compare. */
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
