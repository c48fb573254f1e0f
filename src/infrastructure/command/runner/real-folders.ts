import { closeSync, constants, lstatSync, mkdirSync, openSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isWithin } from '../program/toolchains.js';

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
