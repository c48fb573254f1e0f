import { ruledBy } from '../../../domain/permission/policy/background-rule.js';
import { normaliseToolName } from '../../../domain/tool/tool-name.js';
import { groupOf } from '../compile/add-permissions.js';
import type { AddedPermission } from '../schema/policy-document.js';
import type { EffectsSubject, Report } from './effects-subject.js';
import { wordOf } from './host-effects.js';
import { keyProblem } from './tool-key-effects.js';

const LISTS = {
  path: 'allowed_paths',
  command: 'allowed_commands',
  host: 'allowed_hosts',
  env: 'env',
} as const;

/** Entries of `also_allow` that add nothing, because there is no list that they could join. */
export function checkAdded(subject: EffectsSubject, report: Report): void {
  for (const added of subject.document.also_allow ?? []) {
    const problem =
      groupOf(added.tool) === undefined ? toolProblem(added, subject) : groupProblem(added, subject);
    if (problem !== undefined) report(added.at, ...problem);
  }
}

type Problem = readonly [message: string, hint: string];

const NO_HOSTS: Problem = [
  'allowed_hosts of execute_command has no effect: no command has network: hosts.',
  'Write tools: { execute_command: { network: hosts } } as well, or network: hosts at a rule.',
];

function groupProblem({ tool, path }: AddedPermission, { document }: EffectsSubject): Problem | undefined {
  const group = groupOf(tool);
  if (path === undefined)
    return [`${tool} is not a tool: it takes a path.`, `Write { tool: ${tool}, path: … }.`];
  if (group !== undefined && document.groups?.[group]?.allowed_paths !== undefined) return undefined;
  return [
    `${tool} names no folders in this policy, so there is nothing to add to.`,
    'Remove the entry; nothing has to be added where nothing is bound.',
  ];
}

function toolProblem(added: AddedPermission, { layer, surroundings }: EffectsSubject): Problem | undefined {
  const normal = normaliseToolName(added.tool);
  const known = surroundings.tools.find(({ name }) => normaliseToolName(name) === normal);
  const rules = layer.tools.get(normal);
  if (ruledBy(added.tool) !== added.tool) {
    return [
      `${added.tool} has no entry of its own: that of ${ruledBy(added.tool)} decides.`,
      `Write background: { max: 4, ttl: 1h } at ${ruledBy(added.tool)}.`,
    ];
  }
  if (rules?.enabled === false)
    return [
      `${added.tool} is switched off, and also_allow switches nothing on.`,
      'Remove enabled: false at its entry, or this entry.',
    ];
  if (known === undefined || !known.builtin) return undefined;
  const kind = (['path', 'command', 'host', 'env'] as const).find((name) => added[name] !== undefined);
  if (kind === 'host' && rules?.capabilities.includes('command') && wordOf(rules) !== 'hosts')
    return NO_HOSTS;
  if (kind !== undefined) return keyProblem(known, LISTS[kind]);
  return rules?.at === added.at
    ? undefined
    : [`${added.tool} has an entry already, so this one adds nothing.`, 'Remove it.'];
}
