import { smallest } from '../../../domain/permission/consent/consent.js';
import { isStricter, slowerRate, smallestLimits } from '../../../domain/permission/policy/obligations.js';
import { normaliseToolName } from '../../../domain/tool/tool-name.js';
import type {
  BackgroundEntry,
  GroupEntries,
  GroupEntry,
  Named,
  NetworkEntry,
  PolicyDocument,
  RoleEntry,
  SandboxEntry,
  SettingsEntry,
  ToolEntry,
} from '../schema/policy-document.js';

/**
 * A file over the one it extends: maps merge, lists replace, denied lists unite; limits meet at the smallest
 * and sandboxes at the strictest.
 */
export function mergePolicies(base: PolicyDocument, own: PolicyDocument): PolicyDocument {
  return {
    ...base,
    ...own,
    defaults: mergeSettings(base.defaults ?? {}, own.defaults ?? {}),
    sandboxes: mergeMaps(base.sandboxes, own.sandboxes, mergeSandboxes),
    roles: mergeMaps(base.roles, own.roles, mergeRoles),
    tools: mergeTools(base.tools ?? {}, own.tools ?? {}),
    groups: mergeGroups(base.groups ?? {}, own.groups ?? {}),
    redaction: { ...base.redaction, ...own.redaction },
    audit: { ...base.audit, ...own.audit },
  };
}

function mergeRoles(first: RoleEntry, second: RoleEntry): RoleEntry {
  const denied = unite(first.denied_tools, second.denied_tools, (item) => item.name);
  return { ...first, ...second, ...(denied && { denied_tools: denied }) };
}

function mergeSandboxes(first: SandboxEntry, second: SandboxEntry): SandboxEntry {
  return { ...first, ...second };
}

function mergeMaps<T>(
  first: Readonly<Record<string, T>> | undefined,
  second: Readonly<Record<string, T>> | undefined,
  merge: (first: T, second: T) => T,
): Readonly<Record<string, T>> {
  const merged = new Map(Object.entries(first ?? {}));
  for (const [key, value] of Object.entries(second ?? {})) {
    const before = merged.get(key);
    merged.set(key, before === undefined ? value : merge(before, value));
  }
  return Object.fromEntries(merged);
}

function mergeGroups(first: GroupEntries, second: GroupEntries): GroupEntries {
  const read = mergeGroup(first.read, second.read);
  const write = mergeGroup(first.write, second.write);
  return { ...(read && { read }), ...(write && { write }) };
}

function mergeGroup(first?: GroupEntry, second?: GroupEntry): GroupEntry | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  const denied = unite(first.denied_paths, second.denied_paths, (rule) => JSON.stringify(rule));
  return { ...first, ...second, ...(denied && { denied_paths: denied }) };
}

/** `read-file` in one file and `read_file` in the other are one tool. */
function mergeTools(
  first: Readonly<Record<string, ToolEntry>>,
  second: Readonly<Record<string, ToolEntry>>,
): Readonly<Record<string, ToolEntry>> {
  const names = new Map(Object.keys(first).map((name) => [normaliseToolName(name), name]));
  const renamed = Object.entries(second).map(([name, entry]): [string, ToolEntry] => [
    names.get(normaliseToolName(name)) ?? name,
    entry,
  ]);
  return mergeMaps(first, Object.fromEntries(renamed), mergeEntries);
}

function mergeEntries(first: ToolEntry, second: ToolEntry): ToolEntry {
  const commands = unite(first.denied_commands, second.denied_commands, (rule) => JSON.stringify(rule));
  const paths = unite(first.denied_paths, second.denied_paths, (rule) => JSON.stringify(rule));
  const hosts = unite(first.denied_hosts, second.denied_hosts, (rule) => rule.name);
  return {
    ...first,
    ...second,
    ...mergeSettings(first, second),
    ...(commands && { denied_commands: commands }),
    ...(paths && { denied_paths: paths }),
    ...(hosts && { denied_hosts: hosts }),
    ...meetBackgrounds(first.background, second.background),
    ...((first.arguments || second.arguments) && { arguments: { ...first.arguments, ...second.arguments } }),
    at: second.at,
  };
}

function meetBackgrounds(first?: BackgroundEntry, second?: BackgroundEntry): Pick<ToolEntry, 'background'> {
  if (first === undefined || second === undefined) return {};
  if (first === false || second === false) return { background: false };
  const max = smallest(first.max, second.max);
  const ttlMs = smallest(first.ttlMs, second.ttlMs);
  return { background: { ...(max !== undefined && { max }), ...(ttlMs !== undefined && { ttlMs }) } };
}

function mergeSettings(first: SettingsEntry, second: SettingsEntry): SettingsEntry {
  const limits = first.limits && second.limits && smallestLimits(first.limits, second.limits);
  const sandbox = meetSandboxes(first.sandbox, second.sandbox);
  const network = stricterEntry(first.network, second.network);
  const env = first.env && second.env && { ...first.env, ...second.env };
  const rate = slowerRate(first.rate, second.rate);
  const tokens = unite(first.tokens, second.tokens, (rule) => JSON.stringify(rule));
  return {
    ...settingsOf(first),
    ...settingsOf(second),
    ...(limits && { limits }),
    ...(sandbox && { sandbox }),
    ...(network && { network }),
    ...(env && { env }),
    ...(rate && { rate }),
    ...(tokens && { tokens }),
  };
}

function stricterEntry(first?: NetworkEntry, second?: NetworkEntry): NetworkEntry | undefined {
  if (first === undefined || second === undefined) return undefined;
  return isStricter(first.value, second.value) ? first : second;
}

function settingsOf(entry: SettingsEntry): SettingsEntry {
  const {
    consent,
    consent_unavailable,
    sandbox,
    sandbox_unavailable,
    network,
    env,
    limits,
    rate,
    tokens,
    circuit_breaker,
  } = entry;
  return {
    ...(consent && { consent }),
    ...(consent_unavailable && { consent_unavailable }),
    ...(sandbox && { sandbox }),
    ...(sandbox_unavailable && { sandbox_unavailable }),
    ...(network && { network }),
    ...(env && { env }),
    ...(limits && { limits }),
    ...(rate && { rate }),
    ...(tokens && { tokens }),
    ...(circuit_breaker && { circuit_breaker }),
  };
}

export const NO_SANDBOX = 'none';

/** All of them hold; `none` counts only when nobody asks for more. */
function meetSandboxes(first?: readonly Named[], second?: readonly Named[]): readonly Named[] | undefined {
  const united = unite(first, second, (sandbox) => sandbox.name);
  const real = united?.filter((sandbox) => sandbox.name !== NO_SANDBOX);
  return real === undefined || real.length === 0 ? united : real;
}

function unite<T>(
  first: readonly T[] | undefined,
  second: readonly T[] | undefined,
  keyOf: (item: T) => string,
): readonly T[] | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return [...new Map([...first, ...second].map((item) => [keyOf(item), item])).values()];
}
