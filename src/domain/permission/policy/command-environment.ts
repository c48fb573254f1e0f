import { isFollowedByShell } from '../../command/shell-variables.js';
import { SYSTEM_PATH } from '../path/system-folders.js';
import type { EnvironmentRules } from './obligations.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** Where a tool's programs are looked for: what the policy sets, else the server's own where it is passed on. */
export function searchPathOf(rules: EnvironmentRules, server: Variables): string {
  return rules.set.PATH ?? (rules.pass.includes('PATH') ? server.PATH : undefined) ?? SYSTEM_PATH;
}

const NAME = /^[A-Za-z_]\w*$/;

export function isVariableName(name: string): boolean {
  return NAME.test(name);
}

/** `anyName`: every program may run, so that a command line may set any variable. */
export function acceptsVariable({ accept }: EnvironmentRules, name: string, anyName: boolean): boolean {
  return accept.includes(name) || (anyName && isVariableName(name) && !isFollowedByShell(name));
}

/** What a command sees: variables passed on, then those the policy sets, then the caller's that are accepted. */
export function commandEnvironment(
  rules: EnvironmentRules,
  server: Variables,
  caller: Readonly<Record<string, string>>,
  anyName = false,
): Readonly<Record<string, string>> {
  const environment: Record<string, string> = {};
  for (const name of rules.pass) {
    const value = server[name];
    if (value !== undefined) environment[name] = value;
  }
  Object.assign(environment, rules.set);
  for (const [name, value] of Object.entries(caller))
    if (acceptsVariable(rules, name, anyName)) environment[name] = value;
  // The caller's word on PATH would choose other programs than those that were authorised.
  environment.PATH = searchPathOf(rules, server);
  return environment;
}
