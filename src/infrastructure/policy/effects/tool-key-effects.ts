import { ruledBy } from '../../../domain/permission/policy/background-rule.js';
import type { KnownTool } from '../../../domain/permission/policy/tool-capability.js';
import { normaliseToolName } from '../../../domain/tool/tool-name.js';
import { didYouMean } from '../../config/did-you-mean.js';
import { NO_SANDBOX } from '../compile/merge-policies.js';
import type { ToolEntry } from '../schema/policy-document.js';
import type { EffectsSubject, Report } from './effects-subject.js';

const DOCUMENT_WRITERS: ReadonlySet<string> = new Set([
  'create_document',
  'update_document',
  'delete_document',
]);
const WITH_FILE_SIZE: ReadonlySet<string> = new Set([
  'read_file',
  'read_files',
  'write_file',
  'edit_file',
  'execute_command',
]);

interface KeyRule {
  readonly keys: readonly (keyof ToolEntry)[];
  readonly binds: (tool: KnownTool) => boolean;
  readonly what: string;
  readonly hint: (tool: KnownTool) => string;
}

const runsCommands = ({ capabilities }: KnownTool): boolean => capabilities.includes('command');
const usesPaths = ({ name, capabilities }: KnownTool): boolean =>
  capabilities.length > 0 || DOCUMENT_WRITERS.has(name);
const asksModels = ({ name }: KnownTool): boolean => name === 'claude_conversation';

const writesFiles = ({ capabilities }: KnownTool): boolean => capabilities.includes('write');

const KEY_RULES: readonly KeyRule[] = [
  {
    keys: ['protected'],
    binds: writesFiles,
    what: 'writes no file by its name',
    hint: () => 'Put it at write_file or edit_file.',
  },
  {
    keys: ['allowed_paths', 'denied_paths'],
    binds: usesPaths,
    what: 'takes no path that these could bind',
    hint: () =>
      'Put denied_paths at read_file or files.read; they bind whatever reveals a file, documents too.',
  },
  {
    keys: [
      'allowed_commands',
      'denied_commands',
      'shell',
      'git_may_restore',
      'background',
      'sandbox',
      'sandbox_unavailable',
      'env',
    ],
    binds: runsCommands,
    what: 'runs no commands',
    hint: () => 'Put it at execute_command, or at defaults.',
  },
  {
    keys: ['network'],
    binds: runsCommands,
    what: 'runs no commands, and network is of commands',
    hint: (tool) =>
      asksModels(tool)
        ? 'Write allowed_hosts: […], which binds it.'
        : 'Put it at execute_command, or at defaults.',
  },
  {
    keys: ['allowed_hosts', 'denied_hosts'],
    binds: (tool) => asksModels(tool) || runsCommands(tool),
    what: 'names no host that a list could be compared with',
    hint: () => 'Put it at execute_command or claude_conversation.',
  },
  {
    keys: ['allowed_addresses', 'loopback'],
    binds: runsCommands,
    what: 'runs no commands, and it is of commands with network: hosts',
    hint: () => 'Put it at execute_command.',
  },
  {
    keys: ['allowed_models', 'tokens'],
    binds: asksModels,
    what: 'asks no model',
    hint: () => 'Put it at claude_conversation.',
  },
];

const COMMAND_LIMITS = {
  memoryBytes: 'memory',
  processes: 'processes',
  openFiles: 'open_files',
  diskBytes: 'disk',
} as const;

/** Why a key at this tool has no effect, and where to put it; undefined if it has one. */
export function keyProblem(
  tool: KnownTool,
  key: keyof ToolEntry,
): readonly [message: string, hint: string] | undefined {
  const rule = KEY_RULES.find(({ keys, binds }) => keys.includes(key) && !binds(tool));
  return rule && [`${key} has no effect: ${tool.name} ${rule.what}.`, rule.hint(tool)];
}

/** Keys at tools that they cannot bind. Of tools that are not ours nobody knows what they do. */
export function checkToolKeys(
  { document, bench, layer, surroundings }: EffectsSubject,
  report: Report,
): void {
  const builtin = new Map(
    surroundings.tools.filter((tool) => tool.builtin).map((tool) => [normaliseToolName(tool.name), tool]),
  );
  for (const [name, entry] of Object.entries(document.tools ?? {})) {
    const tool = builtin.get(normaliseToolName(name));
    if (tool === undefined) {
      checkHostsAndNetwork(name, entry, report);
      continue;
    }
    if (ruledBy(tool.name) !== tool.name) {
      const hint = `Write it at ${ruledBy(tool.name)}, with background: { max: 4, ttl: 1h }.`;
      report(entry.at, `${tool.name} has no entry of its own: that of ${ruledBy(tool.name)} decides.`, hint);
      continue;
    }
    for (const key of KEY_RULES.flatMap(({ keys }) => keys)) {
      const problem = entry[key] === undefined ? undefined : keyProblem(tool, key);
      if (problem !== undefined) report(entry.at, ...problem);
    }
    checkLimits(tool, entry, report);
    checkArgumentNames(tool.name, entry, bench.argumentsOf?.(tool.name), report);
  }
  checkBackground(document, report);
  const isBound = layer.bounds.read !== undefined || layer.bounds.write !== undefined;
  const commands = document.tools?.execute_command;
  const sandbox = commands?.sandbox ?? document.defaults?.sandbox ?? [];
  const open = sandbox.find(({ name }) => name === NO_SANDBOX);
  if (isBound && open !== undefined && (commands?.allowed_commands?.length ?? 0) > 0) {
    const message = 'files.read and files.write cannot bind commands that run without a sandbox.';
    report(
      open.at,
      message,
      'Name a sandbox, such as sandbox: workspace, or take allowed_paths out of the groups.',
    );
  }
}

/** Nothing but a sandbox ends processes with a server that is killed. */
function checkBackground({ tools, defaults }: EffectsSubject['document'], report: Report): void {
  const entry = tools?.execute_command;
  const sandbox = entry?.sandbox ?? defaults?.sandbox ?? [];
  if (!entry?.background || !sandbox.some(({ name }) => name === NO_SANDBOX)) return;
  const message =
    'background has no effect with sandbox: none, where nothing ends what a killed server leaves.';
  report(entry.at, message, 'Name a sandbox, or leave background out.');
}

function checkHostsAndNetwork(tool: string, entry: ToolEntry, report: Report): void {
  if (entry.allowed_hosts === undefined || entry.network?.value !== 'full') return;
  report(
    entry.network.at,
    `network: full beside allowed_hosts of ${tool}: its commands would reach every host all the same.`,
    'Write allowed_hosts alone for a tool that names its hosts, or network: full alone for one that runs commands.',
  );
}

function checkLimits(tool: KnownTool, { limits = {}, at }: ToolEntry, report: Report): void {
  if (!runsCommands(tool)) {
    for (const [key, name] of Object.entries(COMMAND_LIMITS)) {
      if (!(key in limits)) continue;
      const message = `limits.${name} has no effect: ${tool.name} runs in the server itself, and it is of commands.`;
      report(at, message, 'Put it at execute_command, or at defaults.');
    }
  }
  if (limits.maxFileBytes !== undefined && !WITH_FILE_SIZE.has(tool.name)) {
    const message = `limits.max_file_bytes has no effect: ${tool.name} reads or writes no file whole.`;
    report(at, message, `Put it at ${[...WITH_FILE_SIZE].join(', ')}, or at defaults.`);
  }
}

function checkArgumentNames(
  tool: string,
  entry: ToolEntry,
  known: readonly string[] | undefined,
  report: Report,
): void {
  if (known === undefined) return;
  for (const [name, { at }] of Object.entries(entry.arguments ?? {})) {
    if (known.includes(name)) continue;
    const hint = didYouMean(name, known) ?? `It has ${known.join(', ') || 'none'}.`;
    report(at ?? entry.at, `${tool} has no argument ${name}, so this constraint has no effect.`, hint);
  }
  for (const [, name = ''] of (entry.consent?.phrase ?? '').matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g)) {
    if (known.includes(name)) continue;
    const hint = didYouMean(name, known) ?? `It has ${known.join(', ') || 'none'}.`;
    report(entry.consent?.at ?? entry.at, `${tool} has no argument ${name} for the phrase.`, hint);
  }
}
