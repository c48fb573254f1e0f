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
 * The text of a policy with one more principal at the end of its list, everything else as it was. Undefined: it has no
 * list in block style to add to. A first principal is never added: it would take the role from everybody else.
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
    // Another key of the policy ends the list; an entry may stand in the first column as well.
    if (indent === undefined || !(/^\s/.test(one) || one.startsWith('- '))) break;
    last = at;
  }
  if (indent === undefined) return undefined;
  lines.splice(last + 1, 0, indent + line);
  return lines.join(ending);
}
