import type { RulePosition } from './rule-position.js';

/** `api.example.com`, `*.example.com` (any depth below), `*`; each with an optional `:port`. */
export interface HostRule {
  readonly pattern: string;
  readonly at: RulePosition;
}

export function findHostRule(
  rules: readonly HostRule[],
  host: string,
  port: number | undefined,
): HostRule | undefined {
  const wanted = host.toLowerCase().replace(/\.$/, '');
  return rules.find((rule) => {
    const { name, port: rulePort } = splitPort(rule.pattern.toLowerCase());
    if (rulePort !== undefined && rulePort !== port) return false;
    if (name === '*') return true;
    return name.startsWith('*.') ? wanted.endsWith(name.slice(1)) : wanted === name;
  });
}

export function splitPort(pattern: string): { readonly name: string; readonly port?: number } {
  const match = /^([^:]*):(\d{1,5})$/.exec(pattern);
  return match?.[1] === undefined ? { name: pattern } : { name: match[1], port: Number(match[2]) };
}
