import { relative } from 'node:path';
import type { CommandRequest, PreparedCommand } from '../../../application/ports/command/command-runner.js';
import { dependencyFolderAbove } from '../../../domain/permission/path/dependency-folders.js';
import { normalisePath } from '../../../domain/permission/path/normal-path.js';
import { permissionDenied, type ToolError } from '../../../domain/tool/tool-error.js';
import { isWithin } from '../program/toolchains.js';
import type { SensitiveRules } from '../workspace/sensitive-rules.js';

type Change = NonNullable<CommandRequest['changes']>[number];

export interface GuardedTree extends Pick<PreparedCommand, 'cwd' | 'expand'> {
  readonly workspace: string;
  readonly rules: Pick<SensitiveRules, 'isNamed' | 'dependencies'>;
  /** Files and folders that commands can neither remove nor rename. */
  readonly guards: readonly string[];
}

/** Below the folder of one package. npm keeps packages that it replaces as `.NAME-Xa81kLmz` until it is done. */
const IN_PACKAGE = /^(?:[^./][^/]*|\.pnpm|\.[^/]+-[\w-]{8})\/./;
const MOST_NAMES = 3;

/**
 * The refusal of a command that would remove or replace a dependency folder of which something has to stay: it would
 * stop half-way and leave a folder that is neither the old one nor the new one.
 */
export function keptFromRemoval(
  { changes = [] }: Pick<CommandRequest, 'changes'>,
  tree: GuardedTree,
): ToolError | undefined {
  if (changes.length === 0) return undefined;
  const guards = tree.guards.filter((path) => tree.rules.dependencies.has(path));
  if (guards.length === 0) return undefined;
  for (const change of changes) {
    for (const folder of foldersOf(change, tree)) {
      const kept = guards.filter((path) => isKept(path, folder, change.extent));
      if (kept.length > 0) return refusal(change.program, folder, kept, tree);
    }
  }
  return undefined;
}

function foldersOf({ word, directory }: Change, { cwd, expand }: GuardedTree): readonly string[] {
  const from = normalisePath(directory, cwd);
  if (word.kind === 'literal') return [normalisePath(word.text, from)];
  return (expand(word.pattern, directory) ?? []).map((name) => normalisePath(name, from));
}

function isKept(path: string, folder: string, extent: Change['extent']): boolean {
  if (!isWithin(path, folder)) return false;
  return extent === 'all' || IN_PACKAGE.test(relative(folder, path));
}

function refusal(
  program: string,
  folder: string,
  kept: readonly string[],
  { workspace, rules }: GuardedTree,
): ToolError {
  const shown = kept.slice(0, MOST_NAMES).map((path) => relative(workspace, path));
  const more = kept.length > MOST_NAMES ? ` and ${kept.length - MOST_NAMES} more` : '';
  return permissionDenied(
    'PROTECTED',
    `Nothing was started: ${program} would remove or replace files in ${relative(workspace, folder) || '.'}, and the policy keeps ${shown.join(', ')}${more} there from commands. They cannot remove such a file, so the folder would be left half-done.`,
    `Ask the user to remove what is kept or, in the policy, ${remedies(kept, workspace, rules).join(' and ')}.`,
  );
}

function remedies(
  kept: readonly string[],
  workspace: string,
  rules: GuardedTree['rules'],
): readonly string[] {
  const named = kept.find(rules.isNamed);
  const secret = kept.find((path) => !rules.isNamed(path));
  const holder = named && dependencyFolderAbove(named, workspace);
  return [
    ...(holder === undefined
      ? []
      : [`to leave it out of the rule that denies it (except: ["${relative(workspace, holder)}/**"] there)`]),
    ...(secret === undefined
      ? []
      : [`to allow it (also_allow: [{ tool: execute_command, path: "${relative(workspace, secret)}" }])`]),
  ];
}
