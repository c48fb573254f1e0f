import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { CommandRequest } from '../../../application/ports/command/command-runner.js';
import type { PermissionPolicy } from '../../../domain/permission/policy/permission-policy.js';
import { Result } from '../../../domain/result.js';
import {
  invalidInput,
  permissionDenied,
  type ToolError,
  toolFailure,
} from '../../../domain/tool/tool-error.js';
import { readForeignFileSync } from '../../state/foreign-file.js';
import { isWithin } from '../program/toolchains.js';

const TMP = '/tmp';

interface Places {
  readonly workspace: string;
  /** Folders that commands see. */
  readonly open: readonly string[];
  readonly home: string;
}

/** Where a command starts; canonical. */
export function startFolder(
  { cwd, paths }: CommandRequest,
  { workspace, open, home }: Places,
): Result<string, ToolError> {
  // Where only parts of the workspace are shown, it is there as the folder that holds them.
  const isThere = (folder: string): boolean =>
    open.some((root) => isWithin(folder, root) || (root !== home && isWithin(root, folder)));
  if (cwd === undefined) return Result.ok(isThere(workspace) ? workspace : home);
  const real = cwd === TMP ? TMP : folderAt(cwd);
  if (real === undefined) {
    const problem = { parameter_name: 'cwd', issue: 'cwd is no folder', expected: 'a folder that exists' };
    return toolFailure(
      invalidInput([{ ...problem, received: cwd, hint: 'Leave it out to work in the workspace.' }]),
    );
  }
  if (real === TMP || paths.canRead(real) || isThere(real)) {
    return Result.ok(real);
  }
  return toolFailure(
    permissionDenied(
      'NO_ALLOW',
      'Commands do not see this folder (cwd). Work in the workspace, or in a folder that the policy shows to commands.',
    ),
  );
}

/** The folder behind a path, by its real path. */
export function folderAt(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    // Missing or closed to us: no folder for a command either.
    return undefined;
  }
}

export function isRepository(path: string): boolean {
  return basename(path) === '.git' || existsSync(join(path, 'HEAD'));
}

// Repositories have finer rules, so that commits work.
export function isNoGit(path: string): boolean {
  return !path.endsWith('/.git');
}

export interface ViewFolders {
  readonly read: readonly string[];
  readonly write: readonly string[];
}

/** The folders of a sandbox by their real names. What is to be written is made first: nobody could bind it else. */
export function realFolders(folders: ViewFolders, workspace: string): ViewFolders {
  for (const folder of folders.write) make(folder, workspace);
  const real = (paths: readonly string[]): readonly string[] => [
    ...new Set(paths.flatMap((path) => realFolder(path, workspace) ?? [])),
  ];
  return { read: real(folders.read), write: real(folders.write) };
}

/** Whoever may write in the workspace may have made a link on the way: nothing is made through one. */
function make(folder: string, workspace: string): void {
  // A bound of the policy may name a file; a folder in its place would be in the way.
  if (/[^/]\.[^./]+$/.test(folder)) return;
  if (!isWithin(folder, workspace)) {
    tolerating(() => mkdirSync(folder, { recursive: true }));
    return;
  }
  const missing: string[] = [];
  let existing = folder;
  while (existing !== workspace && !isThere(existing)) {
    missing.unshift(basename(existing));
    existing = dirname(existing);
  }
  for (const name of missing) {
    if (!tolerating(() => makeIn(existing, name))) return;
    existing = join(existing, name);
  }
}

/** In the folder that really lies at that path, held while the name is made in it. */
function makeIn(parent: string, name: string): void {
  if (process.platform !== 'linux') {
    if (realpathSync(parent) === parent) mkdirSync(join(parent, name));
    return;
  }
  const held = openSync(parent, FOLDER);
  try {
    const handle = `/proc/self/fd/${held}`;
    if (readlinkSync(handle) === parent) mkdirSync(`${handle}/${name}`);
  } finally {
    closeSync(held);
  }
}

const O_PATH = 0o10000000;
const FOLDER = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A component is no folder: nothing can be made there, and making it says so.
    return false;
  }
}

function tolerating(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    // It stays away from the view, and the command says that it cannot write there.
    return false;
  }
}

function realFolder(path: string, workspace: string): string | undefined {
  try {
    const real = realpathSync.native(path);
    // Whoever may write in the workspace may have made the link that leads out of it.
    return isWithin(path, workspace) && !isWithin(real, workspace) ? undefined : real;
  } catch {
    // What is not there is not part of the view.
    return undefined;
  }
}

/**
 * The home folder of a workspace's commands: it lasts, so that caches do, and nothing of the user's own is in
 * it but the name to put on commits. `hidden`: files of the workspace that git is not to add, because commands cannot
 * read them, told from the workspace.
 */
export function openPrivateHome(home: string, realHome: string, hidden: () => readonly string[]): string {
  if (existsSync(home)) return home;
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const identity = gitIdentity(join(realHome, '.gitconfig'));
  writeFileSync(join(home, '.npmrc'), NPM_SETTINGS);
  writeFileSync(join(home, '.gitconfig'), `${identity ?? ''}[core]\n\texcludesFile = ~/${IGNORED}\n`);
  writeFileSync(
    join(home, IGNORED),
    hidden()
      .map((path) => `/${path}\n`)
      .join(''),
  );
  return home;
}

const IGNORED = '.git-ignored';

/** Without a network npm would try again for minutes before it says so. */
const NPM_SETTINGS = 'fetch-retries=0\nupdate-notifier=false\n';

/** Where the home folder of a workspace lies. */
export function privateHomeOf(stateFolder: string, workspace: string): string {
  const name = createHash('sha256').update(workspace).digest('hex').slice(0, 16);
  return join(stateFolder, 'home', name);
}

const MAX_GITCONFIG_BYTES = 1024 * 1024;

/** The [user] section of a git configuration, name and address alone. */
function gitIdentity(file: string): string | undefined {
  const read = readForeignFileSync(file, { maxBytes: MAX_GITCONFIG_BYTES, links: 'anywhere' });
  const text = read.kind === 'bytes' ? read.bytes.toString('utf8') : '';
  const [, section = ''] = /^\s*\[user\]([^[]*)/m.exec(text) ?? [];
  const lines = section.split('\n').filter((line) => /^\s*(name|email)\s*=/.test(line));
  return lines.length === 0 ? undefined : `[user]\n${lines.join('\n')}\n`;
}

/** The server's own files that lie in the workspace, or would. */
export function ownFilesIn(
  workspace: string,
  { never }: ReturnType<PermissionPolicy['patterns']>,
): readonly string[] {
  return never
    .map(({ pattern }) => relative(workspace, pattern))
    .filter((path) => path !== '' && !path.startsWith('..') && !/[*?[\\]/.test(path));
}
