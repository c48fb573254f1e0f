import { randomBytes } from 'node:crypto';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { CANNOT_LINK, codeOf } from './file-steps.js';

const PAUSE_MS = 10;

/**
 * git's own locks on the real side. Which ones are held is written down before they are, by inode, so that those of a killed
 * carrier can be told from the user's and removed.
 */
export class HeldLocks {
  readonly #held = new Map<string, string>();

  constructor(private readonly journal: string) {}

  /** Removes what a killed one left. */
  recover(): void {
    if (!existsSync(this.journal)) return;
    for (const line of readFileSync(this.journal, 'utf8').split('\n')) {
      const space = line.indexOf(' ');
      const [inode, path] = [line.slice(0, space), line.slice(space + 1)];
      if (space > 0 && inodeOf(path) === inode) rmSync(path, { force: true });
    }
    rmSync(this.journal, { force: true });
  }

  /** `path.lock`, with nothing in it; false: somebody else holds it. */
  take(path: string, waitMs: number): boolean {
    const lock = `${path}.lock`;
    mkdirSync(dirname(lock), { recursive: true });
    const draft = `${dirname(lock)}/airlock-${randomBytes(8).toString('hex')}`;
    writeFileSync(draft, '', { flag: 'wx', mode: 0o644 });
    try {
      this.#held.set(lock, inodeOf(draft));
      this.#save(draft);
      for (let left = waitMs; ; left -= PAUSE_MS) {
        if (linked(draft, lock)) return true;
        if (left <= 0) break;
        pause(PAUSE_MS);
      }
      this.#held.delete(lock);
      return false;
    } finally {
      rmSync(draft, { force: true });
      this.#save();
    }
  }

  release(path: string): void {
    const lock = `${path}.lock`;
    if (inodeOf(lock) === this.#held.get(lock)) rmSync(lock, { force: true });
    this.#held.delete(lock);
    this.#save();
  }

  #save(draft?: string): void {
    const lines = [...this.#held].map(([path, inode]) => `${inode} ${path}\n`);
    const extra = draft === undefined ? '' : `${inodeOf(draft)} ${draft}\n`;
    if (lines.length === 0 && extra === '') rmSync(this.journal, { force: true });
    else {
      writeFileSync(`${this.journal}.new`, `${lines.join('')}${extra}`);
      renameSync(`${this.journal}.new`, this.journal);
    }
  }
}

function linked(draft: string, lock: string): boolean {
  try {
    linkSync(draft, lock);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (!CANNOT_LINK.has(codeOf(error)) || existsSync(lock)) throw error;
    renameSync(draft, lock);
    return true;
  }
}

function inodeOf(path: string): string {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.dev}.${stat.ino}`;
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
