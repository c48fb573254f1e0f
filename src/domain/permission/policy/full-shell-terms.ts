import { baseName } from '../../command/program-facts.js';
import { allowsAnyProgram, type CommandRule } from './command-rules.js';
import { isStricter } from './obligations.js';
import type { PolicyLayer, ToolRules } from './policy-layer.js';

/** What an entry lacks for scripts to be allowed. */
export type FullShellObstacle = 'programs' | 'sandbox' | 'unavailable';

/** Scripts are allowed only if no list names programs and the operating system always contains them. */
export function fullShellObstacle({
  allowedCommands,
  obligations,
}: ToolRules): FullShellObstacle | undefined {
  if (!allowedCommands.rules.some(allowsAnyProgram)) return 'programs';
  if (obligations.sandbox === undefined) return 'sandbox';
  return obligations.sandboxUnavailable === 'deny' ? undefined : 'unavailable';
}

export function fitsFullShell(rules: ToolRules): boolean {
  return fullShellObstacle(rules) === undefined;
}

/** A rule that a program under an unknown name would bypass. */
export function ruleAboutPrograms(layer: PolicyLayer, tool: ToolRules): CommandRule | undefined {
  return (
    tool.deniedCommands.rules[0] ??
    layer.deniedCommands.rules[0] ??
    tool.allowedCommands.rules.find(
      (rule) =>
        !allowsAnyProgram(rule) &&
        (rule.consent !== undefined ||
          rule.sandbox !== undefined ||
          rule.limits !== undefined ||
          rule.network === 'none' ||
          (rule.network !== undefined && isStricter(rule.network, tool.obligations.network))),
    )
  );
}

/** The programs that are denied with any arguments, by name. */
export function wholeProgramsOf(tool: ToolRules, layer: PolicyLayer): readonly string[] {
  const whole = [...tool.deniedCommands.rules, ...layer.deniedCommands.rules].filter(
    ({ tokens, any, except }) => tokens.length === 1 && any === undefined && (except ?? []).length === 0,
  );
  const names = whole.flatMap(({ tokens }) => (tokens[0] ?? []).map(baseName));
  return [...new Set(names)].filter((name) => name !== '*');
}
