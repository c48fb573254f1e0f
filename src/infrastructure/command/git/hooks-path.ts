import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { isWithin } from '../program/toolchains.js';
import { entriesOf } from './config-verdict.js';
import { isFolder, readRegularFile } from './git-files.js';
import { worktreeFolders } from './git-pointers.js';

const MAX_FILES = 20;
const MENTIONED = /hookspath|include/i;

export const HOOK_NAMES: readonly string[] = [
  'applypatch-msg',
  'commit-msg',
  'fsmonitor-watchman',
  'p4-changelist',
  'p4-post-changelist',
  'p4-pre-submit',
  'p4-prepare-changelist',
  'post-applypatch',
  'post-checkout',
  'post-commit',
  'post-index-change',
  'post-merge',
  'post-receive',
  'post-rewrite',
  'post-update',
  'pre-applypatch',
  'pre-auto-gc',
  'pre-commit',
  'pre-merge-commit',
  'pre-push',
  'pre-rebase',
  'pre-receive',
  'prepare-commit-msg',
  'proc-receive',
  'push-to-checkout',
  'reference-transaction',
  'sendemail-validate',
  'update',
];

/** Folders of hooks inside a workspace, as patterns for a policy. */
export function workspaceHooks(workspace: string, home: string): readonly string[] {
  const entry = join(workspace, '.git');
  const folder = isFolder(entry) ? entry : worktreeFolders(entry)?.common;
  if (folder === undefined) return [];
  return hooksFolders(folder, workspace, home)
    .filter((path) => path !== workspace && isWithin(path, workspace))
    .map((path) => path.replace(/[*?[\]{}\\]/g, '\\$&'));
}

/**
 * The folders that `core.hooksPath` names for a repository, in its own configuration or the user's. Conditional
 * includes count as met: a folder too many is read-only, which is better than one too few.
 */
export function hooksFolders(folder: string, worktree: string, home = homedir()): readonly string[] {
  const queue = [
    join(folder, 'config'),
    join(folder, 'config.worktree'),
    join(home, '.gitconfig'),
    join(home, '.config/git/config'),
    '/etc/gitconfig',
  ];
  const found = new Set<string>();
  const expand = (value: string, base: string): string =>
    value.startsWith('~/') ? join(home, value.slice(2)) : resolve(base, value);
  for (let read = 0; read < MAX_FILES && queue.length > 0; read += 1) {
    const file = queue.shift() ?? '';
    const text = readRegularFile(file) ?? '';
    if (!MENTIONED.test(text)) continue;
    for (const [key, value] of entriesOf(text) ?? []) {
      if (key === 'core.hookspath' && value !== '') found.add(expand(value, worktree));
      if (/^include(if\..*)?\.path$/s.test(key)) queue.push(expand(value, dirname(file)));
    }
  }
  return [...found];
}
