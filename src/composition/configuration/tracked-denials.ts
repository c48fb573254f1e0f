import { PathRules } from '../../domain/permission/path/path-rules.js';
import type { PermissionPolicy } from '../../domain/permission/policy/permission-policy.js';
import { trackedPaths } from '../../infrastructure/command/git/index/tracked-paths.js';

const MOST_NAMES = 5;

/**
 * Files that the policy denies by name and git tracks: a deny hides the file, and git prints what was committed of it.
 * In words, with what to do; nothing if there are none.
 */
export function trackedDenials(policy: PermissionPolicy, workspace: string): readonly string[] {
  const denied = PathRules.compile(policy.patterns().denied);
  if (!denied.success || denied.value.isEmpty) return [];
  const tracked = trackedPaths(workspace).filter((path) => denied.value.covers(path));
  if (tracked.length === 0) return [];
  const names = tracked.slice(0, MOST_NAMES).map((path) => path.slice(workspace.length + 1));
  const more = tracked.length > MOST_NAMES ? ` and ${tracked.length - MOST_NAMES} more` : '';
  return [
    `The policy denies ${names.join(', ')}${more}, and git tracks them: git show and git log -p still print what was committed. ` +
      'Take them out of the repository and of its history, or deny git to commands (denied_commands: [git]).',
  ];
}
