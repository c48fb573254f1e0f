import { isFollowedByShell } from '../../command/shell-variables.js';
import { SYSTEM_PATH } from '../path/system-folders.js';
import type { EnvironmentRules } from './obligations.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** The search path of a tool's programs: set by the policy, else the server's own if it is passed on. */
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

/**
 * The environment of a command: variables passed on, then those the policy sets, then accepted ones of the
 * caller.
 */
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
  // A PATH from the caller would choose other programs than those that were authorised.
  environment.PATH = searchPathOf(rules, server);
  return environment;
}
