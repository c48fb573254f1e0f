import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { BoundedMap } from '../../../domain/bounded-map.js';
import { isWithin } from '../program/toolchains.js';
import { stampOf } from './blob-names.js';
import { entriesOf } from './config-verdict.js';
import { isFolder, look, readRegularFile } from './git-files.js';
import { worktreeFolders } from './git-pointers.js';

const MAX_FILES = 20;
const MENTIONED = /hookspath|include/i;

/** Folders of hooks inside a workspace, as patterns for a policy. */
export function workspaceHooks(workspace: string, home: string): readonly string[] {
  const entry = join(workspace, '.git');
  const folder = isFolder(entry) ? entry : worktreeFolders(entry)?.common;
  if (folder === undefined) return [];
  return hooksFolders(folder, workspace, home)
    .filter((path) => path !== workspace && isWithin(path, workspace))
    .map((path) => path.replace(/[*?[\]{}\\]/g, '\\$&'));
}

/** What was read for the answer, and how each file was then. */
interface Known {
  readonly stamps: ReadonlyMap<string, string>;
  readonly folders: readonly string[];
}

const MAX_KNOWN = 200;
const known = new BoundedMap<string, Known>(MAX_KNOWN);

/**
 * The folders that `core.hooksPath` names for a repository, in its own configuration or the user's. Conditional
 * includes count as met: a folder too many is read-only, which is better than one too few.
 */
export function hooksFolders(folder: string, worktree: string, home = homedir()): readonly string[] {
  const key = [folder, worktree, home].join('\0');
  const before = known.get(key);
  if (before !== undefined && isUnchanged(before)) return before.folders;
  const stamps = new Map<string, string>();
  const folders = readHooksFolders({ folder, worktree, home }, (file) => stamps.set(file, stampAt(file)));
  known.set(key, { stamps, folders });
  return folders;
}

/** Changes whenever one of the files does that were read for this repository. */
export function hooksStamp(folder: string, worktree: string, home = homedir()): string {
  const files = known.get([folder, worktree, home].join('\0'))?.stamps.keys() ?? [];
  return [...files].map(stampAt).join();
}

function isUnchanged({ stamps }: Known): boolean {
  for (const [file, stamp] of stamps) if (stamp === UNSETTLED || stampAt(file) !== stamp) return false;
  return true;
}

const UNSETTLED = 'unsettled';
/** The kernel stamps changes with a clock that lags behind a little. */
const SETTLED_MS = 50;

function stampAt(file: string): string {
  const stats = look(file);
  if (stats === undefined) return 'none';
  return Date.now() - stats.ctimeMs > SETTLED_MS ? stampOf(stats) : UNSETTLED;
}

interface HooksRequest {
  readonly folder: string;
  readonly worktree: string;
  readonly home: string;
}

/** `onRead` is told before a file is read, so that a later change is seen. */
function readHooksFolders(
  { folder, worktree, home }: HooksRequest,
  onRead: (file: string) => void,
): readonly string[] {
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
    onRead(file);
    const text = readRegularFile(file) ?? '';
    if (!MENTIONED.test(text)) continue;
    for (const [key, value] of entriesOf(text) ?? []) {
      if (key === 'core.hookspath' && value !== '') found.add(expand(value, worktree));
      if (/^include(if\..*)?\.path$/s.test(key)) queue.push(expand(value, dirname(file)));
    }
  }
  return [...found];
}
