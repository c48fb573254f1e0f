import type { ToolDefinition } from '../../../application/tool/tool-definition.js';
import type { ConsentMode } from '../../../domain/permission/consent/consent.js';
import type { PermissionPolicy } from '../../../domain/permission/policy/permission-policy.js';
import { strictestTerms } from '../../../domain/permission/policy/tool-terms.js';
import { commandTerms } from '../command-terms.js';

/** What the policy in force makes of a tool. It names no path: the caller may not be allowed to know them. */
export function policyLines(
  policy: PermissionPolicy,
  { name, capabilities = [] }: Pick<ToolDefinition, 'name' | 'capabilities'>,
): readonly string[] {
  const terms = strictestTerms(policy.rulesOf(name));
  if (terms === undefined) return [];
  const { consent, obligations } = terms;
  const lines = [
    consentLine(consent.mode),
    ...(capabilities.includes('command')
      ? [commandTerms(policy), sandboxLine(obligations.sandbox?.name)]
      : []),
    ...(obligations.redactResults ? ['Secrets are taken out of answers.'] : []),
  ];
  return ['Under the policy in force here:', lines.map((line) => `- ${line}`).join('\n')];
}

function consentLine(mode: ConsentMode): string {
  if (mode === 'deny') return 'Every call is refused in place of asking the user.';
  return mode === 'never'
    ? 'No call asks the user as such; single paths and commands may.'
    : 'The user is asked before a call runs.';
}

function sandboxLine(name: string | undefined): string {
  return name === undefined ? 'Commands run without a sandbox.' : `Commands run in the sandbox \`${name}\`.`;
}
