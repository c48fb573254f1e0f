import { randomBytes } from 'node:crypto';
import { readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';
import type { ChangedTree, FileAccess } from '../../../application/ports/file/safe-file-system.js';
import { checkLive, FileFault } from '../file-fault.js';
import { entryOf, type Held, joinReal, type PathLocator } from '../locate/path-locator.js';
import { DirectoryWalk } from '../read/directory-walk.js';

const MAX_DEPTH = 64;
const MAX_UNINTERRUPTED = 500;

/** Checks every entry of a tree before the first is removed. */
export async function checkTree(
  locator: PathLocator,
  folder: Held,
  access: FileAccess,
  mayChange: (real: string, relative: string) => boolean,
): Promise<void> {
  let holdsDenied = false;
  const everything: FileAccess = {
    ...access,
    guard: { mayRead: () => true, mayWrite: () => true },
    ...(access.isDeniedObject && {
      isDeniedObject: (object) => {
        holdsDenied ||= access.isDeniedObject?.(object) ?? false;
        return false;
      },
    }),
  };
  // The walk releases what it is given; the caller's directory stays held.
  const root = locator.descend(folder, '.');
  for await (const batch of new DirectoryWalk(locator, {}, everything).run(root)) {
    for (const { path } of batch) {
      if (!mayChange(joinReal(folder.real, path), path)) throw new FileFault('denied');
    }
  }
  if (holdsDenied) throw new FileFault('denied');
  checkLive(access);
}

/** Empties a directory through descriptors, so that a link in its place is removed and never followed. */
export class TreeRemoval {
  #files = 0;
  #directories = 0;
  #steps = 0;

  constructor(
    private readonly locator: PathLocator,
    private readonly access: FileAccess,
  ) {}

  get changed(): ChangedTree {
    return { files: this.#files, directories: this.#directories, bytes: 0, skipped: 0 };
  }

  async empty(top: Held): Promise<void> {
    // Directories that are too deep are moved to the top and emptied there, so that any depth needs few
    // descriptors.
    for (let deep = true; deep; ) deep = await this.#empty(top, top, 1);
  }

  async #empty(folder: Held, top: Held, depth: number): Promise<boolean> {
    let moved = false;
    for (const entry of readdirSync(folder.handle, { withFileTypes: true, encoding: 'buffer' })) {
      await this.#breathe();
      const path = entryOf(folder, entry.name);
      if (!entry.isDirectory()) {
        unlinkSync(path);
        this.#files += 1;
      } else if (depth >= MAX_DEPTH) {
        renameSync(path, top.entry(`.castellan-${randomBytes(12).toString('hex')}.tmp`));
        moved = true;
      } else {
        const below = this.locator.descend(folder, entry.name);
        moved = (await this.#empty(below, top, depth + 1).finally(() => below.release())) || moved;
        rmdirSync(path);
        this.#directories += 1;
      }
    }
    return moved;
  }

  async #breathe(): Promise<void> {
    checkLive(this.access);
    this.#steps += 1;
    if (this.#steps % MAX_UNINTERRUPTED !== 0) return;
    this.access.progress?.(this.#steps);
    await breathe();
  }
}
