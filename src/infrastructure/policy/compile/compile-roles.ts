import type { FileProblem } from '../../../domain/file-problem.js';
import { compilePattern } from '../../../domain/permission/path/path-pattern.js';
import {
  DEFAULT_ROLE,
  type PrincipalRule,
  type RolePolicy,
  type ToolNames,
} from '../../../domain/permission/policy/policy-roles.js';
import { normaliseToolName } from '../../../domain/tool/tool-name.js';
import { didYouMean } from '../../config/did-you-mean.js';
import type { Named, PolicyDocument, PrincipalEntry } from '../schema/policy-document.js';

export function compileRoles(document: PolicyDocument, problems: FileProblem[]): RolePolicy {
  const entries = Object.entries(document.roles ?? {});
  const known = new Set([DEFAULT_ROLE, ...entries.map(([name]) => name)]);
  const checkRole = ({ name, at }: Named): void => {
    if (known.has(name)) return;
    const hint = didYouMean(name, known) ?? 'Define it under roles.';
    problems.push({
      file: at.file,
      line: at.line,
      column: at.column,
      message: `No role is called ${name}.`,
      hint,
    });
  };
  for (const [, role] of entries) for (const parent of role.inherits ?? []) checkRole(parent);
  for (const { roles } of document.principals ?? []) for (const role of roles) checkRole(role);
  return {
    ...(document.principals && { principals: document.principals.map(toPrincipal) }),
    roles: new Map(
      entries.map(([name, role]) => [
        name,
        {
          inherits: (role.inherits ?? []).map((parent) => parent.name),
          tools: toolNames(role.tools ?? [], problems),
          deniedTools: toolNames(role.denied_tools ?? [], problems),
          at: role.at,
        },
      ]),
    ),
  };
}

function toPrincipal({
  transport,
  issuer,
  claim,
  api_key: key,
  roles,
  workspace,
  name,
}: PrincipalEntry): PrincipalRule {
  return {
    ...(transport && { transport }),
    ...(issuer !== undefined && { issuer }),
    ...(claim && { claim }),
    ...(key !== undefined && { apiKeyHash: key }),
    roles: roles.map((role) => role.name),
    ...(workspace !== undefined && { workspace }),
    ...(name !== undefined && { name }),
  };
}

function toolNames(list: readonly Named[], problems: FileProblem[]): ToolNames {
  const names = new Set<string>();
  const globs: ToolNames['globs'][number][] = [];
  for (const { name, at } of list) {
    if (!/[*?[\]{}]/.test(name)) {
      names.add(normaliseToolName(name));
      continue;
    }
    const glob = compilePattern(name);
    if (glob.success) globs.push(glob.value);
    else problems.push({ file: at.file, line: at.line, column: at.column, message: glob.error });
  }
  return { names, globs };
}
