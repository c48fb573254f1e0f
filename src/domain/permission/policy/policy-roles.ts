import type { Caller } from '../../session/caller.js';
import { normaliseToolName } from '../../tool/tool-name.js';
import type { PathPattern } from '../path/path-pattern.js';
import { ruledBy } from './background-rule.js';
import type { RulePosition } from './rule-position.js';
import { fixedFolderOf } from './workspace-template.js';

/** Matches a caller that meets every condition it names; without conditions, every caller. */
export interface PrincipalRule {
  readonly transport?: readonly Caller['transport'][];
  readonly issuer?: string;
  readonly claim?: Readonly<Record<string, string>>;
  readonly apiKeyHash?: string;
  readonly roles: readonly string[];
  /** The directory of these callers, with placeholders; undefined means the server's own workspace. */
  readonly workspace?: string;
  /** The name for these callers. */
  readonly name?: string;
}

export interface ToolNames {
  readonly names: ReadonlySet<string>;
  readonly globs: readonly PathPattern[];
}

export interface RoleRules {
  readonly inherits: readonly string[];
  readonly tools: ToolNames;
  readonly deniedTools: ToolNames;
  readonly at: RulePosition;
}

export interface RolePolicy {
  readonly principals?: readonly PrincipalRule[];
  readonly roles: ReadonlyMap<string, RoleRules>;
}

export const DEFAULT_ROLE = 'default';

/**
 * Without `principals`, every authenticated caller gets the default role. With them, only callers that match
 * a rule get a role.
 */
export function rolesOf(policy: RolePolicy, caller: Caller): readonly string[] {
  if (policy.principals === undefined) return isAuthenticated(caller) ? [DEFAULT_ROLE] : [];
  const roles = policy.principals.filter((rule) => matches(rule, caller)).flatMap((rule) => rule.roles);
  return [...new Set(roles)];
}

/**
 * The template of the first matching principal that has a directory; undefined if the caller works in the
 * server's workspace.
 */
export function workspaceTemplateOf(policy: RolePolicy, caller: Caller): string | undefined {
  return policy.principals?.find((rule) => rule.workspace !== undefined && matches(rule, caller))?.workspace;
}

/** What a policy with principals knows about a caller. */
export interface Principal {
  /** From the first matching principal that has one; else the caller's id. */
  readonly name: string;
  /** Empty if no principal matches. */
  readonly roles: readonly string[];
}

/** undefined if the policy names no principals. */
export function principalOf(policy: RolePolicy, caller: Caller): Principal | undefined {
  if (policy.principals === undefined) return undefined;
  const named = policy.principals.find((rule) => rule.name !== undefined && matches(rule, caller));
  return { name: named?.name ?? caller.id, roles: rolesOf(policy, caller) };
}

/** The directories in or below which principals work, as the policy writes them. */
export function principalFolders(policy: RolePolicy): readonly string[] {
  const templates = policy.principals?.flatMap(({ workspace }) =>
    workspace === undefined ? [] : [workspace],
  );
  return [...new Set((templates ?? []).map(fixedFolderOf))];
}

function isAuthenticated(caller: Caller): boolean {
  return caller.transport !== 'http' || caller.apiKeyHash !== undefined || caller.issuer !== undefined;
}

function matches(rule: PrincipalRule, caller: Caller): boolean {
  if (rule.transport !== undefined && !rule.transport.includes(caller.transport)) return false;
  if (rule.issuer !== undefined && rule.issuer !== caller.issuer) return false;
  if (rule.apiKeyHash !== undefined && rule.apiKeyHash !== caller.apiKeyHash) return false;
  return Object.entries(rule.claim ?? {}).every(([name, wanted]) => hasClaim(caller, name, wanted));
}

function hasClaim(caller: Caller, name: string, wanted: string): boolean {
  const claims = caller.claims ?? {};
  const held = Object.hasOwn(claims, name) ? claims[name] : undefined;
  return Array.isArray(held) ? held.includes(wanted) : held === wanted;
}

/** A tool denied to any role the caller has or inherits is denied: deny wins here too. */
export function rolesMayUse(policy: RolePolicy, roles: readonly string[], tool: string): boolean {
  if (policy.roles.size === 0) return roles.includes(DEFAULT_ROLE);
  const governing = ruledBy(tool);
  const names = [...new Set([tool, governing])].map((name) => [name, normaliseToolName(name)] as const);
  let allowed = false;
  for (const name of withInherited(policy, roles)) {
    const role = policy.roles.get(name);
    if (role === undefined) {
      allowed ||= name === DEFAULT_ROLE;
      continue;
    }
    if (names.some(([name, normal]) => includes(role.deniedTools, name, normal))) return false;
    allowed ||= includes(role.tools, governing, normaliseToolName(governing));
  }
  return allowed;
}

function withInherited(policy: RolePolicy, roles: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [...roles];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    open.push(...(policy.roles.get(name)?.inherits ?? []));
  }
  return seen;
}

function includes(list: ToolNames, tool: string, normal: string): boolean {
  return list.names.has(normal) || list.globs.some((glob) => glob.matches(tool.replace(/[-.]/g, '_')));
}
