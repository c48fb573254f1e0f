import { DEFAULT_ROLE } from '../../../domain/permission/policy/policy-roles.js';
import { BUILTIN_SANDBOXES } from '../compile/builtin-profiles.js';
import type { PolicyDocument } from '../schema/policy-document.js';
import type { EffectsSubject, Report } from './effects-subject.js';

/** Definitions that nothing refers to. Those of a file that is extended are there for other files, too. */
export function checkReferences({ file, document }: EffectsSubject, report: Report): void {
  const used = sandboxesOf(document);
  for (const [name, { at }] of Object.entries(document.sandboxes ?? {})) {
    if (at?.file !== file || used.has(name) || Object.hasOwn(BUILTIN_SANDBOXES, name)) continue;
    report(
      at,
      `Nothing runs in the sandbox ${name}.`,
      `Write sandbox: ${name} at defaults or execute_command, or remove it.`,
    );
  }
  if (document.principals === undefined) return;
  const held = rolesHeld(document);
  for (const [name, { at }] of Object.entries(document.roles ?? {})) {
    if (at.file !== file || held.has(name)) continue;
    const hint = `Add a principal, such as { match: { transport: [stdio] }, roles: [${name}] }, or remove the role.`;
    report(at, `Nobody has the role ${name}: no principal is given it.`, hint);
  }
}

function sandboxesOf({ defaults, tools }: PolicyDocument): ReadonlySet<string> {
  const entries = Object.values(tools ?? {});
  return new Set(
    [
      ...[defaults, ...entries].flatMap((entry) => entry?.sandbox ?? []),
      ...entries.flatMap((entry) => entry.allowed_commands ?? []).flatMap(({ sandbox }) => sandbox ?? []),
    ].map(({ name }) => name),
  );
}

function rolesHeld({ principals = [], roles = {} }: PolicyDocument): ReadonlySet<string> {
  const held = new Set<string>([DEFAULT_ROLE]);
  const open = principals.flatMap((principal) => principal.roles.map(({ name }) => name));
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (held.has(name)) continue;
    held.add(name);
    open.push(...(roles[name]?.inherits ?? []).map((parent) => parent.name));
  }
  return held;
}
