import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { BoundedMap } from '../../../domain/bounded-map.js';
import { isWithin } from '../program/toolchains.js';
import { stampOf } from './blob-names.js';
import { entriesOf, isHarmless } from './config-verdict.js';
import { isFolder, look, readRegularFile } from './git-files.js';
import { worktreeFolders } from './git-pointers.js';
import { programsIn } from './named-programs.js';

const MAX_FILES = 20;
/** Lines with these keys, which every clone has, name no file that is run. */
const ADDRESSES = /^\s*(?:url|pushurl|fetch|push|merge)\s*=.*$/gim;
/** A text without any of these names no file: git need not be asked about it. */
const MENTIONED =
  /hookspath|include|attributesfile|templatedir|\/|\b(?:\w*sh|node|deno|bun|tsx|python|ruby|perl|php|lua)\b/i;
/** Values that are files for git to read, or places, but nothing that it runs. */
const READ_ONLY =
  /^(?:(?:remote|submodule|url)\..*|core\.(?:worktree|excludesfile)|commit\.template|mailmap\..*|blame\..*|gpg\.ssh\.allowedsignersfile)$/s;

/** What configurations name for git to run or to obey. */
interface NamedFiles {
  /** Folders of `core.hooksPath`. */
  readonly hooks: readonly string[];
  /** Included configurations, attributes, templates and programs. */
  readonly files: readonly string[];
}

/** The files and folders inside a workspace that git would run or obey, as patterns for a policy. */
export function workspaceNames(workspace: string, home: string): readonly string[] {
  const entry = join(workspace, '.git');
  const folder = isFolder(entry) ? entry : worktreeFolders(entry)?.common;
  if (folder === undefined) return [];
  return namedInside(folder, workspace, home).map((path) => path.replace(/[*?[\]{}\\]/g, '\\$&'));
}

/** Those in the worktree, which commands could write. */
export function namedInside(folder: string, worktree: string, home = homedir()): readonly string[] {
  const { hooks, files } = namedFiles(folder, worktree, home);
  const own = join(worktree, '.git');
  return [...hooks, ...files].filter(
    (path) => path !== worktree && isWithin(path, worktree) && !isWithin(path, own),
  );
}

/** What was read for the answer, and how each file was then. */
interface Known {
  readonly stamps: ReadonlyMap<string, string>;
  readonly named: NamedFiles;
}

const MAX_KNOWN = 200;
const known = new BoundedMap<string, Known>(MAX_KNOWN);

/** The folders that `core.hooksPath` names for a repository, in its own configuration or the user's. */
export function hooksFolders(folder: string, worktree: string, home = homedir()): readonly string[] {
  return namedFiles(folder, worktree, home).hooks;
}

/** Conditional includes count as met: a file too many is read-only, which is better than one too few. */
function namedFiles(folder: string, worktree: string, home: string): NamedFiles {
  const key = [folder, worktree, home].join('\0');
  const before = known.get(key);
  if (before !== undefined && isUnchanged(before)) return before.named;
  const stamps = new Map<string, string>();
  const named = readNames({ folder, worktree, home }, (file) => stamps.set(file, stampAt(file)));
  known.set(key, { stamps, named });
  return named;
}

/** Changes whenever one of the files does that were read for this repository. */
export function namesStamp(folder: string, worktree: string, home = homedir()): string {
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

interface NamesRequest {
  readonly folder: string;
  readonly worktree: string;
  readonly home: string;
}

/** `onRead` is told before a file is read, so that a later change is seen. */
function readNames({ folder, worktree, home }: NamesRequest, onRead: (file: string) => void): NamedFiles {
  const queue = [
    join(folder, 'config'),
    join(folder, 'config.worktree'),
    join(home, '.gitconfig'),
    join(home, '.config/git/config'),
    '/etc/gitconfig',
  ];
  const hooks = new Set<string>();
  const files = new Set<string>();
  const expand = (value: string, base: string): string =>
    value.startsWith('~/') ? join(home, value.slice(2)) : resolve(base, value);
  for (let read = 0; read < MAX_FILES && queue.length > 0; read += 1) {
    const file = queue.shift() ?? '';
    onRead(file);
    const text = readRegularFile(file) ?? '';
    if (!MENTIONED.test(text.replace(ADDRESSES, ''))) continue;
    for (const [key, value] of entriesOf(text) ?? []) {
      if (key === 'core.hookspath' && value !== '') hooks.add(expand(value, worktree));
      else if (/^include(if\..*)?\.path$/s.test(key)) {
        files.add(expand(value, dirname(file)));
        queue.push(expand(value, dirname(file)));
      } else if (key === 'core.attributesfile' || key === 'init.templatedir')
        files.add(expand(value, worktree));
      else if (!READ_ONLY.test(key) && !isHarmless(key, value, folder, [worktree]))
        for (const path of programsIn(value, worktree)) files.add(path);
    }
  }
  return { hooks: [...hooks], files: [...files] };
}
