import type { PolicyLayer, ToolRules } from '../../../domain/permission/policy/policy-layer.js';
import type { RulePosition } from '../../../domain/permission/policy/rule-position.js';
import { normaliseToolName } from '../../../domain/tool/tool-name.js';
import type { PolicyDocument } from '../schema/policy-document.js';

type Report = (at: RulePosition, message: string, hint?: string) => void;

const KINDS = [
  { tool: 'read_file', power: 'read', verb: 'read' },
  { tool: 'write_file', power: 'write', verb: 'change' },
] as const;

/** Narrowing one tool alone leaves the other ways to the same files as a profile, or a sandbox, made them. */
export function lintReach(document: PolicyDocument, layer: PolicyLayer, report: Report): void {
  for (const { tool, power, verb } of KINDS) {
    const narrow = layer.tools.get(normaliseToolName(tool));
    if (narrow === undefined || !narrow.enabled || narrow.allowedPaths.isEmpty) continue;
    const bound = layer.bounds[power];
    if (bound?.paths.rules.every(({ pattern }) => narrow.allowedPaths.covers(pattern))) continue;
    const wider = [...layer.tools.values()]
      .filter((other) => other.enabled && !namesSandbox(document, other) && reachesMore(other, power, narrow))
      .map((other) => nameOf(other));
    if (wider.length === 0) continue;
    const group = `files.${power}: { allowed_paths: [${narrow.allowedPaths.rules.map(shown).join(', ')}] }`;
    report(
      narrow.at,
      `${tool} is more restricted than ${wider.join(', ')}, which may still ${verb} more.`,
      `Write ${group} or denied_paths, which apply to all of them, or write entries for them too (for commands: set their sandbox).`,
    );
  }
}

/** A sandbox that the author's own entry names is meant, with the folders that it lets commands write. */
function namesSandbox({ tools = {} }: PolicyDocument, { tool }: ToolRules): boolean {
  return tools[tool]?.sandbox?.some(({ at }) => !at.file.startsWith('builtin:')) === true;
}

/** What the author wrote as an entry of its own is meant; a sandbox seldom is thought of as one. */
function reachesMore(other: ToolRules, power: 'read' | 'write', narrow: ToolRules): boolean {
  const { capabilities } = other;
  const isBeyond = (path: string): boolean => !narrow.allowedPaths.covers(path);
  if (capabilities.includes('command')) {
    const { sandbox } = other.obligations;
    if (sandbox === undefined || other.allowedCommands.isEmpty) return false;
    return (power === 'write' ? sandbox.write : [...sandbox.read, ...sandbox.write]).some(isBeyond);
  }
  return (
    capabilities.includes(power) &&
    other.at.file.startsWith('builtin:') &&
    other.allowedPaths.rules.some(({ pattern, at }) => at.file.startsWith('builtin:') && isBeyond(pattern))
  );
}

function nameOf({ tool, capabilities, obligations: { sandbox } }: ToolRules): string {
  return capabilities.includes('command') ? `${tool} (the sandbox ${sandbox?.name ?? 'none'})` : tool;
}

function shown({ pattern }: { readonly pattern: string }): string {
  return JSON.stringify(pattern);
}
