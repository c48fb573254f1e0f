import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';
import { Result } from '../../domain/result.js';
import { errnoOf } from './errno.js';

/** A folder that was reached without a link below its root, and that stays itself while it is held. */
export interface HeldFolder {
  /** Its path without any link. */
  readonly path: string;
  readonly status: Stats;
  /** A path for an entry of this very folder, also after somebody exchanged a name on the way to it. */
  entry(name: string): string;
  release(): void;
}

const O_PATH = 0o10000000;
const ON_LINUX = process.platform === 'linux';

/**
 * Opens `root`, whose own path may have links, and from there one name after another, none of them a link.
 * `create` is the mode of folders that are made because they are missing. Without /proc, names are looked at, not held.
 */
export function holdFolder(root: string, names: readonly string[], create?: number): Result<HeldFolder> {
  let path = root;
  let held: HeldFolder | undefined;
  try {
    path = realpathSync(root);
    held = open(path, path);
    for (const name of names) {
      const entry = held.entry(name);
      path = join(path, name);
      if (create !== undefined) makeFolder(entry, create);
      const inner = open(entry, path);
      held.release();
      held = inner;
    }
    return Result.ok(held);
  } catch (error) {
    held?.release();
    return Result.failure(`${path} ${whyNot(error, path)}.`, 'NotHeld');
  }
}

function open(entry: string, path: string): HeldFolder {
  return ON_LINUX ? openHeld(entry, path) : openLooked(path);
}

function openHeld(entry: string, path: string): HeldFolder {
  const descriptor = openSync(entry, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  return {
    path,
    status: fstatSync(descriptor),
    entry: (name) => `/proc/self/fd/${descriptor}/${name}`,
    release: () => closeSync(descriptor),
  };
}

function openLooked(path: string): HeldFolder {
  const status = lstatSync(path);
  if (!status.isDirectory()) throw Object.assign(new Error(`${path} is no folder`), { code: 'ENOTDIR' });
  return { path, status, entry: (name) => join(path, name), release: () => undefined };
}

function makeFolder(entry: string, mode: number): void {
  try {
    mkdirSync(entry, { mode });
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}

function whyNot(error: unknown, path: string): string {
  const code = errnoOf(error);
  if (code === undefined) throw error;
  if (code === 'ENOENT') return 'does not exist';
  if (code !== 'ENOTDIR' && code !== 'ELOOP') return `cannot be opened (${code})`;
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? 'is a symbolic link, which is not followed here' : 'is not a folder';
}
