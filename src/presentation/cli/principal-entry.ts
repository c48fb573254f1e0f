/** A caller with an API key, as a line of a policy. */
export interface KeyEntry {
  readonly name: string;
  readonly apiKeyHash: string;
  readonly role: string;
}

export function keyEntryLine({ name, apiKeyHash, role }: KeyEntry): string {
  return `- { name: ${JSON.stringify(name)}, match: { api_key: "${apiKeyHash}" }, roles: [${JSON.stringify(role)}] }`;
}

const PRINCIPALS = /^principals:[ \t]*(?:#.*)?$/;
const ENTRY = /^([ \t]*)- /;

/**
 * Adds a principal at the end of the list, leaving everything else unchanged. undefined if the policy has no
 * list in block style. A first principal is never added, because it would take the role from all other
 * callers.
 */
export function withPrincipal(policy: string, line: string): string | undefined {
  const ending = policy.includes('\r\n') ? '\r\n' : '\n';
  const lines = policy.split(/\r?\n/);
  const start = lines.findIndex((one) => PRINCIPALS.test(one));
  if (start < 0) return undefined;
  let indent: string | undefined;
  let last = start;
  for (let at = start + 1; at < lines.length; at += 1) {
    const one = lines[at] ?? '';
    if (one.trim() === '' || /^\s*#/.test(one)) continue;
    indent ??= ENTRY.exec(one)?.[1];
    // Another key of the policy ends the list; an entry may also start in the first column.
    if (indent === undefined || !(/^\s/.test(one) || one.startsWith('- '))) break;
    last = at;
  }
  if (indent === undefined) return undefined;
  lines.splice(last + 1, 0, indent + line);
  return lines.join(ending);
}
