import { normaliseToolName } from '../../../domain/tool/tool-name.js';
import type {
  AddedPermission,
  GroupEntries,
  PathEntry,
  PolicyDocument,
  ToolEntry,
} from '../schema/policy-document.js';

const COMMANDS = 'execute_command';

type Tools = Readonly<Record<string, ToolEntry>>;

/**
 * Puts the permissions of `also_allow` into the lists that they belong to: beside what the file itself, or else the
 * one it extends, has there. They only add to allows; denies, constraints, roles and ceilings stay as they are.
 */
export function addPermissions(document: PolicyDocument, added: readonly AddedPermission[]): PolicyDocument {
  return added.reduce(addPermission, document);
}

function addPermission(document: PolicyDocument, added: AddedPermission): PolicyDocument {
  const group = groupOf(added.tool);
  if (group !== undefined) return { ...document, groups: addToGroup(document.groups ?? {}, group, added) };
  const tools = document.tools ?? {};
  const name = nameIn(tools, added.tool);
  return { ...document, tools: { ...tools, [name]: addToTool(tools[name], added, document) } };
}

/** `read-file` and `read_file` are one tool. */
function nameIn(tools: Tools, wanted: string): string {
  const normal = normaliseToolName(wanted);
  return Object.keys(tools).find((name) => normaliseToolName(name) === normal) ?? wanted;
}

export function groupOf(name: string): keyof GroupEntries | undefined {
  if (name === 'files.read') return 'read';
  return name === 'files.write' ? 'write' : undefined;
}

/** A group that names no folders binds nothing, so there is nothing to add to. */
function addToGroup(groups: GroupEntries, name: keyof GroupEntries, { path }: AddedPermission): GroupEntries {
  const group = groups[name];
  if (group?.allowed_paths === undefined || path === undefined) return groups;
  return { ...groups, [name]: { ...group, allowed_paths: joined(group.allowed_paths, path) } };
}

function joined(paths: readonly PathEntry[] | undefined, path: PathEntry): readonly PathEntry[] {
  return [...(paths ?? []), path];
}

function addToTool(
  before: ToolEntry | undefined,
  added: AddedPermission,
  { defaults }: PolicyDocument,
): ToolEntry {
  const { path, command, host, env, at } = added;
  const entry = before ?? { at };
  if (path !== undefined) return { ...entry, allowed_paths: joined(entry.allowed_paths, path) };
  if (command !== undefined)
    return { ...entry, allowed_commands: [...(entry.allowed_commands ?? []), command] };
  // An entry without a list of hosts has no bound on them, but for commands; one would take hosts away.
  if (host !== undefined) {
    const isOpen = added.tool !== COMMANDS && before !== undefined && before.allowed_hosts === undefined;
    return isOpen ? entry : { ...entry, allowed_hosts: [...(entry.allowed_hosts ?? []), host] };
  }
  if (env === undefined) return entry;
  const accept = entry.env?.accept ?? defaults?.env?.accept ?? [];
  return { ...entry, env: { ...entry.env, accept: [...accept, env] } };
}
