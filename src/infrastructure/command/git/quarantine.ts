import {
  closeSync,
  constants,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errnoOf } from '../../files/file-fault.js';
import { MAX_GIT_FILE, readRegularFile } from './git-files.js';

const O_PATH = process.platform === 'linux' ? 0o10000000 : 0;

/** Takes files out of a workspace, to a folder that no command sees, and puts harmless ones in their place. */
export class Quarantine {
  #taken = 0;

  constructor(private readonly folder: string) {}

  /** Answers with the new place; undefined: it is gone already, or cannot be taken. */
  take(path: string): string | undefined {
    return withFolderOf(path, (entry) => {
      const found = lstatSync(entry, { throwIfNoEntry: false });
      if (found === undefined) return undefined;
      const room = this.#room();
      const kept = join(room, basename(path));
      move(entry, kept, found);
      writeFileSync(join(room, 'origin.txt'), `${path}\n`);
      return kept;
    });
  }

  /** In place of what was taken, for whoever the repository `folder` belongs to. */
  put(path: string, text: string, folder: string): void {
    withFolderOf(path, (entry) => {
      const fresh = `${entry}.castellan-${process.pid}`;
      writeFileSync(fresh, text, { flag: 'wx', mode: 0o644 });
      const { uid, gid } = lstatSync(folder);
      if (process.getuid?.() === 0) lchownSync(fresh, uid, gid);
      renameSync(fresh, entry);
      return undefined;
    });
  }

  #room(): string {
    for (;;) {
      this.#taken += 1;
      const room = join(this.folder, `${new Date().toISOString().replace(/[:.]/g, '-')}-${this.#taken}`);
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      try {
        mkdirSync(room, { mode: 0o700 });
        return room;
      } catch (error) {
        if (errnoOf(error) !== 'EEXIST') throw error;
      }
    }
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

function move(from: string, to: string, found: Stats): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (errnoOf(error) !== 'EXDEV' || found.isDirectory()) throw error;
    const text = found.isSymbolicLink() ? readlinkSync(from) : readRegularFile(from, MAX_GIT_FILE);
    writeFileSync(to, text ?? '');
    unlinkSync(from);
  }
}
