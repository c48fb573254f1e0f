import type { ToolDefinition } from '../../../application/tool/tool-definition.js';
import type { PermissionPolicy } from '../../../domain/permission/policy/permission-policy.js';

/** What the policy in force makes of a tool. It names no path: who reads this may not be allowed to know them. */
export function policyLines(
  policy: PermissionPolicy,
  { name, capabilities = [] }: Pick<ToolDefinition, 'name' | 'capabilities'>,
): readonly string[] {
  const terms = policy.termsOf(name);
  if (terms === undefined) return [];
  const { consent, obligations } = terms;
  const lines = [
    consent.mode === 'never'
      ? 'No call asks the user as such; single paths and commands may.'
      : 'The user is asked before a call runs.',
    ...(capabilities.includes('command') ? commandLines(policy, name) : []),
    ...(obligations.redactResults ? ['Secrets are taken out of answers.'] : []),
  ];
  return [`Under the policy in force here:`, lines.map((line) => `- ${line}`).join('\n')];
}

function commandLines(policy: PermissionPolicy, tool: string): readonly string[] {
  const { sandbox, network } = policy.termsOf(tool)?.obligations ?? {};
  const background = policy.backgroundOf(tool);
  return [
    policy.shellModeOf(tool) === 'full'
      ? '`shell: full`: a command line is any text of bash, and the sandbox contains it.'
      : 'A command line has no variables, substitutions and control flow; each of its programs must be allowed.',
    sandbox === undefined
      ? 'Commands run without a sandbox.'
      : `Commands run in the sandbox \`${sandbox.name}\`.`,
    network === 'full' && sandbox?.network !== 'none'
      ? 'Commands reach the network.'
      : 'Commands have no network, unless the rule of a program gives it one.',
    background === undefined
      ? 'A command ends with its call.'
      : `At most ${background.max} commands run on after their calls, each for ${background.ttlMs / 60_000} minutes at most.`,
  ];
}
