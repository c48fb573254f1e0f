import { PROCESS_TOOLS } from './background-rule.js';
import type { ToolRules } from './policy-layer.js';

/** Rules derived from those of execute_command. Input to a program is as powerful as running programs. */
export function followingRules(
  commands: ToolRules,
  none: Pick<ToolRules, 'allowedPaths' | 'deniedPaths' | 'allowedCommands' | 'deniedCommands'>,
  anyProgram: boolean,
): readonly ToolRules[] {
  const { obligations, background } = commands;
  if (!commands.enabled || background === undefined || obligations.sandbox === undefined) return [];
  const { timeoutMs: _ofCommands, ...limits } = obligations.limits;
  return PROCESS_TOOLS.filter((tool) => tool !== 'process_input' || anyProgram).map((tool) => ({
    ...commands,
    ...none,
    tool,
    capabilities: [],
    arguments: new Map(),
    consent: tool === 'process_input' ? commands.consent : { mode: 'never' },
    obligations: { ...obligations, limits, timeoutNamed: false },
  }));
}
