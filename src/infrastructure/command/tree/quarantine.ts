import { randomBytes } from 'node:crypto';
import { closeSync, constants, mkdirSync, openSync, readlinkSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isOwnFile } from '../../files/own-files.js';
import { codeOf } from './read-entries.js';

export interface Quarantined {
  readonly path: string;
  /** Where it is now. */
  readonly moved: string;
}

const O_PATH = 0o10000000;
const FOLDER = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const MAX_KEPT = 1_000;

/** Takes what a command put where the server looks for its own files out of its way. */
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

  /** False: it is the server's own, gone already, or cannot be moved. */
  take(path: string): boolean {
    if (isOwnFile(path) || this.#taken.length >= MAX_KEPT) return false;
    const label = `${basename(path)}-${randomBytes(6).toString('hex')}`;
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      const moved = join(this.folder, label);
      this.#taken.push({ path, moved: moveEntry(path, moved) });
      return true;
    } catch (error) {
      if (codeOf(error) === undefined) throw error;
      return false;
    }
  }
}

/** By way of the folder that it really lies in: a link put in that folder's place leads nowhere. */
function moveEntry(path: string, target: string): string {
  const parent = openSync(dirname(path), FOLDER);
  try {
    const held = `/proc/self/fd/${parent}`;
    if (process.platform === 'linux' && readlinkSync(held) !== dirname(path)) {
      throw Object.assign(new Error('exchanged'), { code: 'ENOENT' });
    }
    const entry = join(process.platform === 'linux' ? held : dirname(path), basename(path));
    try {
      renameSync(entry, target);
      return target;
    } catch (error) {
      if (codeOf(error) !== 'EXDEV') throw error;
      // Another file system: a name that nobody looks for takes it out of the way just as well.
      const name = `${basename(path)}.quarantined-${randomBytes(6).toString('hex')}`;
      renameSync(entry, join(dirname(entry), name));
      return join(dirname(path), name);
    }
  } finally {
    closeSync(parent);
  }
}
