import type { ToolRules } from '../../../domain/permission/policy/policy-layer.js';
import { normaliseToolName } from '../../../domain/tool/tool-name.js';
import type { ToolEntry } from '../schema/policy-document.js';
import type { EffectsSubject, Report } from './effects-subject.js';

const KEYS = ['allowed_hosts', 'denied_hosts', 'allowed_addresses', 'loopback'] as const;

/** Lists of hosts where no command is held to them, and commands that would be held to none. */
export function checkHosts({ document, layer }: EffectsSubject, report: Report): void {
  const entries = Object.entries(document.tools ?? {});
  for (const rules of layer.tools.values()) {
    const normal = normaliseToolName(rules.tool);
    const entry = entries.find(([name]) => normaliseToolName(name) === normal)?.[1];
    if (entry !== undefined && rules.capabilities.includes('command')) checkEntry(rules, entry, report);
  }
}

function checkEntry(rules: ToolRules, entry: ToolEntry, report: Report): void {
  const word = wordOf(rules);
  if (word === 'hosts') {
    const listed = [...(entry.allowed_hosts ?? []), ...(entry.loopback ?? [])];
    if (listed.length > 0) return;
    const message = `network: hosts of ${rules.tool} reaches nothing: no host is listed.`;
    report(
      entry.at,
      message,
      'Write allowed_hosts: [registry.npmjs.org] with the hosts you mean, or network: none.',
    );
    return;
  }
  // A deny beside no network is for files that extend this one.
  const key = KEYS.find((name) => entry[name] !== undefined && (name !== 'denied_hosts' || word === 'full'));
  if (key === undefined) return;
  const why = word === 'full' ? 'they reach every host' : 'they have no network';
  const message = `${key} of ${rules.tool} has no effect: no command has network: hosts, so ${why}.`;
  const hint =
    'Write network: hosts here, or at the rules whose programs need it, as in { command: [npm, ci], network: hosts }.';
  report(entry.at, message, hint);
}

/** `hosts` where some command has it, under the sandbox of its entry. */
export function wordOf({ obligations: { network, sandbox }, allowedCommands }: ToolRules): string {
  if (sandbox === undefined) return 'full';
  if (sandbox.network === 'none') return 'none';
  if (network === 'hosts') return 'hosts';
  const isListed = allowedCommands.rules.some(
    (rule) => rule.network === 'hosts' || (rule.network === 'full' && sandbox.network === 'hosts'),
  );
  return isListed ? 'hosts' : network;
}
