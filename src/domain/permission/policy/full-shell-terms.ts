import { baseName } from '../../command/program-facts.js';
import { allowsAnyProgram, type CommandRule } from './command-rules.js';
import { isStricter } from './obligations.js';
import type { PolicyLayer, ToolRules } from './policy-layer.js';

/** Why any text may not run under an entry: what it lacks. */
export type FullShellObstacle = 'programs' | 'sandbox' | 'unavailable';

/** Only where no list names programs, and the operating system contains them without exception. */
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

/** A rule that a program under a name that nobody can see would get round. */
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

/** The programs that are denied whatever they are given, by their names. */
export function wholeProgramsOf(tool: ToolRules, layer: PolicyLayer): readonly string[] {
  const whole = [...tool.deniedCommands.rules, ...layer.deniedCommands.rules].filter(
    ({ tokens, any, except }) => tokens.length === 1 && any === undefined && (except ?? []).length === 0,
  );
  const names = whole.flatMap(({ tokens }) => (tokens[0] ?? []).map(baseName));
  return [...new Set(names)].filter((name) => name !== '*');
}
