import { createHash } from 'node:crypto';
import {
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isAlive, ownIdentity } from '../../state/process-identity.js';
import { BETWEEN_COMMANDS_MS } from '../process/between-commands.js';
import { look, readRegularFile } from './git-files.js';

/** git reads it as "the folder itself", which is what the absence of the file means. */
const HARMLESS = '.';
const RECORD = 'placeholder';

/**
 * Keeps `.git/commondir` from being made: where nothing is, nothing can be mounted read-only, and that file would
 * send git elsewhere for its configuration. A harmless one stands in its place while commands run, and for a while
 * after: most commands are followed by another, whose sandbox may be standing already. The journal in the state
 * folder says whose it is, so that what a killed server leaves behind is taken away after the next command.
 */
export class CommondirPlaceholder {
  readonly #held = new Map<string, number>();
  readonly #leaving = new Map<string, NodeJS.Timeout>();
  readonly #identity = ownIdentity();

  constructor(private readonly state: string) {}

  hold(folder: string): void {
    const holders = this.#held.get(folder) ?? 0;
    this.#held.set(folder, holders + 1);
    const isLeft = this.#stay(folder);
    const journal = this.#journal(folder);
    try {
      if (holders === 0 && !isLeft) {
        mkdirSync(journal, { recursive: true, mode: 0o700 });
        writeFileSync(join(journal, this.#identity), '');
      }
      if (look(join(folder, 'commondir')) === undefined) place(folder, journal);
    } catch {
      // A repository that the server cannot write, nor can what it starts.
    }
  }

  release(folder: string): void {
    const holders = (this.#held.get(folder) ?? 1) - 1;
    this.#held.set(folder, holders);
    if (holders > 0) return;
    this.#leaving.set(folder, setTimeout(() => this.#leave(folder), BETWEEN_COMMANDS_MS).unref());
  }

  /** Takes away what no command needs any more. */
  close(): void {
    for (const folder of [...this.#leaving.keys()]) this.#leave(folder);
  }

  /** True: it was about to be taken away. */
  #stay(folder: string): boolean {
    clearTimeout(this.#leaving.get(folder));
    return this.#leaving.delete(folder);
  }

  #leave(folder: string): void {
    this.#stay(folder);
    const journal = this.#journal(folder);
    try {
      unlinkSync(join(journal, this.#identity));
      if (!isHeld(journal)) remove(folder, journal);
    } catch {
      // It says nothing to git, so it may stay until the next command ends.
    }
  }

  #journal(folder: string): string {
    return join(this.state, createHash('sha256').update(folder).digest('hex').slice(0, 32));
  }
}

function place(folder: string, journal: string): void {
  const fresh = join(folder, `commondir.${ownIdentity()}`);
  rmSync(fresh, { force: true });
  writeFileSync(fresh, HARMLESS, { flag: 'wx', mode: 0o644 });
  const { uid, gid } = lstatSync(folder);
  if (process.getuid?.() === 0) lchownSync(fresh, uid, gid);
  try {
    // Recorded first: a server that is killed in between leaves nothing that nobody knows of.
    writeFileSync(join(journal, RECORD), identityAt(fresh) ?? '');
    // Whole or not at all: git fails on an empty one.
    linkSync(fresh, join(folder, 'commondir'));
  } finally {
    unlinkSync(fresh);
  }
}

function remove(folder: string, journal: string): void {
  const recorded = readRegularFile(join(journal, RECORD));
  const path = join(folder, 'commondir');
  if (recorded === identityAt(path) && readRegularFile(path, 16) === HARMLESS) unlinkSync(path);
  unlinkSync(join(journal, RECORD));
}

function identityAt(path: string): string | undefined {
  const found = look(path);
  return found?.isFile() ? `${found.dev}:${found.ino}` : undefined;
}

/** By another server on the same repository, which is still there. */
function isHeld(journal: string): boolean {
  const others = readdirSync(journal).filter((name) => name !== RECORD);
  for (const dead of others.filter((name) => !isAlive(name))) rmSync(join(journal, dead), { force: true });
  return others.some((name) => isAlive(name));
}
