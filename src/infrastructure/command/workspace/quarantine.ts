import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isOwnFile } from '../../file/own-files.js';
import { errnoOf } from '../../state/errno.js';
import { readForeignFileSync } from '../../state/foreign-file.js';
import type { PathChange } from './matched-paths.js';
import { openUp } from './open-up.js';
import type { WatchedTree } from './watched-tree.js';

export interface Quarantined {
  readonly path: string;
  /** Where it is now. */
  readonly moved: string;
}

const O_PATH = process.platform === 'linux' ? 0o10000000 : 0;
/** More than this in the life of one server are removed instead: a command could make them without end. */
const MAX_KEPT = 1_000;
const MAX_BYTES = 1024 * 1024;

/** Takes files out of a workspace, to a folder that no command sees, and puts harmless ones in their place. */
export class Quarantine {
  readonly #taken: Quarantined[] = [];

  constructor(private readonly folder: string) {}

  /** The number of pieces so far, for `since`. */
  get count(): number {
    return this.#taken.length;
  }

  since(count: number): readonly Quarantined[] {
    return this.#taken.slice(count);
  }

  /** Answers with the new place; undefined: it is gone already, or its folder was exchanged. */
  take(path: string): string | undefined {
    return withFolderOf(path, (entry) => {
      const found = lstatSync(entry, { throwIfNoEntry: false });
      if (found === undefined) return undefined;
      const room = this.#room();
      const target = join(room, basename(path));
      const moved = openedMove(path, entry, target, found);
      if (this.#taken.length < MAX_KEPT) {
        writeFileSync(join(room, 'origin.txt'), `${path}\n`);
        this.#taken.push({ path, moved });
      } else rmSync(room, { recursive: true, force: true });
      return moved;
    });
  }

  /** In place of what was taken, for whoever the repository `folder` belongs to. */
  put(path: string, text: string | Uint8Array, folder: string): void {
    withFolderOf(path, (entry) => {
      // Nobody knows the name before: whoever held it could keep the file from coming back.
      const fresh = `${entry}.castellan-${randomBytes(12).toString('hex')}`;
      try {
        writeFileSync(fresh, text, { flag: 'wx', mode: 0o644 });
        const { uid, gid } = lstatSync(folder);
        if (process.getuid?.() === 0) lchownSync(fresh, uid, gid);
        renameSync(fresh, entry);
      } finally {
        rmSync(fresh, { force: true });
      }
      return undefined;
    });
  }

  #room(): string {
    const room = join(this.folder, randomBytes(9).toString('base64url'));
    mkdirSync(room, { recursive: true, mode: 0o700 });
    return room;
  }
}

/**
 * Works in the folder that really has this path. A command that is still running could put a link in its place, and
 * a server that is root would then move another user's files.
 */
export function withFolderOf<T>(path: string, work: (entry: string) => T | undefined): T | undefined {
  const folder = dirname(path);
  let descriptor: number;
  try {
    descriptor = openSync(folder, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch {
    // Gone, or a link by now.
    return undefined;
  }
  try {
    if (O_PATH === 0) return work(path);
    const held = `/proc/self/fd/${descriptor}`;
    return readlinkSync(held) === folder ? work(join(held, basename(path))) : undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** A command may have closed the folder, or the one around it, to everybody. */
function openedMove(path: string, entry: string, target: string, found: Stats): string {
  try {
    return move(path, entry, target, found);
  } catch (error) {
    const isOpened = [dirname(path), path].map((folder) => openUp(folder)).includes(true);
    if (!isOpened || !['EACCES', 'EPERM'].includes(errnoOf(error) ?? '')) throw error;
    return move(path, entry, target, found);
  }
}

/** `entry` leads to `path` by way of a folder that is held open. */
function move(path: string, entry: string, target: string, found: Stats): string {
  try {
    renameSync(entry, target);
    return target;
  } catch (error) {
    if (errnoOf(error) !== 'EXDEV') throw error;
  }
  // Another file system: a file is copied; for a folder, a name that nobody looks for does just as well.
  if (found.isDirectory()) {
    const name = `${basename(path)}.quarantined-${randomBytes(6).toString('hex')}`;
    renameSync(entry, join(dirname(entry), name));
    return join(dirname(path), name);
  }
  writeFileSync(target, found.isSymbolicLink() ? readlinkSync(entry) : contentOf(entry));
  unlinkSync(entry);
  return target;
}

/** Of a pipe or anything of that kind nothing is kept. */
function contentOf(path: string): Buffer {
  const file = readForeignFileSync(path, { maxBytes: MAX_BYTES, links: 'nowhere' });
  return file.kind === 'bytes' ? file.bytes : Buffer.alloc(0);
}

type IsServerOwned = (path: string) => boolean;

/** The names under which the server looks for its own files: whatever turns up there while commands run is taken away. */
export class ReservedPaths {
  readonly #known = new Set<string>();
  readonly #accepted = new WeakMap<object, number>();
  #running = 0;

  constructor(private readonly quarantine: Quarantine) {}

  /** A command is about to begin. Answers what to call when nothing of it is left and what it made was cleared away. */
  begin(): () => void {
    this.#running += 1;
    return () => {
      this.#running -= 1;
    };
  }

  /** What is there before a command runs is the user's; until one is cleared up after, it may be that command's. */
  accept({ matches }: WatchedTree, isServerOwned: IsServerOwned): void {
    if (this.#running > 0 || this.#accepted.get(matches) === matches.version) return;
    this.#accepted.set(matches, matches.version);
    for (const [path] of matches.entries()) if (isServerOwned(path)) this.#known.add(path);
  }

  clear(news: readonly PathChange[], isServerOwned: IsServerOwned): void {
    for (const { path } of news) {
      if (!this.#known.has(path) && isServerOwned(path) && !isOwnFile(path)) this.#take(path);
    }
  }

  #take(path: string): void {
    try {
      this.quarantine.take(path);
    } catch (error) {
      // It cannot be moved, which the answer tells as something that appeared.
      if (errnoOf(error) === undefined) throw error;
    }
  }
}
