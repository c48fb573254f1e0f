import { type FSWatcher, watch } from 'node:fs';
import { basename } from 'node:path';
import { isFolder, look } from './git-files.js';

/** Names in a folder that is watched; everything else comes and goes as git works. */
const RELEVANT = new Set([
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
const ALL_RELEVANT = new Set(['remotes', 'branches', 'worktrees', 'modules']);

/** Watches folders, each for its own entries. */
export interface FolderWatch {
  /** From now on these, and no others. */
  follow(folders: readonly string[]): void;
  close(): void;
}

/** `onEvent` is called with the folder and the entry that changed, where the system tells it. */
export function watchFolders(onEvent: (folder: string, name: string | null) => void): FolderWatch {
  const watchers = new Map<string, { readonly watcher: FSWatcher; readonly inode: number | undefined }>();
  const drop = (folder: string): void => {
    watchers.get(folder)?.watcher.close();
    watchers.delete(folder);
  };
  const add = (folder: string): void => {
    try {
      const inode = look(folder)?.ino;
      const watcher = watch(folder, { persistent: false }, (_, name) => onEvent(folder, name));
      watcher.on('error', () => drop(folder));
      watchers.set(folder, { watcher, inode });
    } catch {
      // Gone again, or more watches than the system grants: what is in it is still looked at when the command ends.
    }
  };
  return {
    follow: (folders) => {
      const wanted = new Set(folders);
      // A watch holds a folder and not its name: one that was made anew needs another.
      for (const [folder, { inode }] of watchers)
        if (!wanted.has(folder) || look(folder)?.ino !== inode) drop(folder);
      for (const folder of wanted) if (!watchers.has(folder) && isFolder(folder)) add(folder);
    },
    close: () => {
      for (const folder of [...watchers.keys()]) drop(folder);
    },
  };
}

/** Whether a change of this entry may have opened a door. */
export function isRelevant(folder: string, name: string | null): boolean {
  return name === null || RELEVANT.has(name) || ALL_RELEVANT.has(basename(folder));
}
