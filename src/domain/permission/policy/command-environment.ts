import { SYSTEM_PATH } from '../path/system-folders.js';
import type { EnvironmentRules } from './obligations.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** Where a tool's programs are looked for: what the policy sets, else the server's own where it is passed on. */
export function searchPathOf(rules: EnvironmentRules, server: Variables): string {
  return rules.set.PATH ?? (rules.pass.includes('PATH') ? server.PATH : undefined) ?? SYSTEM_PATH;
}

/** What a command sees: variables passed on, then those the policy sets, then the caller's where accepted. */
export function commandEnvironment(
  rules: EnvironmentRules,
  server: Variables,
  caller: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const environment: Record<string, string> = {};
  for (const name of rules.pass) {
    const value = server[name];
    if (value !== undefined) environment[name] = value;
  }
  Object.assign(environment, rules.set);
  for (const name of rules.accept) {
    if (Object.hasOwn(caller, name)) environment[name] = caller[name] ?? '';
  }
  // The caller's word on PATH would choose other programs than those that were authorised.
  environment.PATH = searchPathOf(rules, server);
  return environment;
}
