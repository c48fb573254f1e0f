import { basename } from 'node:path';
/** Hooks that git looks for, in whatever folder `core.hooksPath` names. */
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

/** Names in a git folder that decide what git runs and where it looks; everything else comes and goes as git works. */
export const GIT_NAMES: ReadonlySet<string> = new Set([
  '.git',
  'HEAD',
  'objects',
  'refs',
  'config',
  'config.worktree',
  'commondir',
  'gitdir',
  'hooks',
  'info',
  'attributes',
  'alternates',
  'http-alternates',
  'remotes',
  'branches',
  'worktrees',
  'modules',
  'rebase-merge',
  'git-rebase-todo',
  'strategy',
  'sequencer',
  'todo',
  'opts',
]);

/** Every name that git may obey. */
const DOOR_NAMES: ReadonlySet<string> = new Set([...GIT_NAMES, ...HOOK_NAMES]);

/** Folders in which every name counts. */
const DOOR_FOLDERS: ReadonlySet<string> = new Set(['remotes', 'branches', 'worktrees', 'modules', 'hooks']);

/** Whether a name, or every name in a folder, is one that git may obey. */
export function isGitControl(folder: string, name: string): boolean {
  return DOOR_NAMES.has(name) || DOOR_FOLDERS.has(basename(folder));
}

/** Whether a change of this name in this folder could be one of a door; no name: anything in it may have changed. */
export function mayBeDoor(folder: string, name: string | undefined): boolean {
  return name === undefined || GIT_NAMES.has(name) || DOOR_FOLDERS.has(basename(folder));
}
