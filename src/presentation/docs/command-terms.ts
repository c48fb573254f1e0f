import type { ShellMode } from '../../domain/command/shell-mode.js';
import type { NetworkReach } from '../../domain/permission/policy/command-obligations.js';
import type { PermissionPolicy } from '../../domain/permission/policy/permission-policy.js';

const TOOL = 'execute_command';

const SHELL: Readonly<Record<ShellMode, string>> = {
  full: 'Any bash works.',
  static: 'Pipes, && || ;, redirects, globs and quoted heredocs work; variables, $(…) and loops are refused.',
  none: 'One program with its arguments: no pipes, no redirects.',
};

const NETWORK: Readonly<Record<NetworkReach, string>> = {
  none: 'No network.',
  some: 'Network for some programs only.',
  hosts:
    'Programs reach the hosts that the policy lists, by name and without a proxy; others do not resolve.',
  all: 'Programs reach the network.',
};

/** What the policy in force lets commands do, for a model that cannot see the policy. It names no rule. */
export function commandTerms(policy: PermissionPolicy): string {
  const isAny = policy.allowsAnyProgram(TOOL);
  return [
    SHELL[policy.shellModeOf(TOOL)],
    ...(isAny ? [] : ['Only programs that the policy names run.']),
    NETWORK[policy.networkReachOf(TOOL)],
    policy.backgroundOf(TOOL) === undefined
      ? 'Nothing runs on after its call.'
      : 'For servers and watchers use background: true, then process_output.',
  ].join(' ');
}
