import { accessSync, constants, linkSync, mkdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import type { ChangedTree, FileAccess } from '../../../application/ports/file/safe-file-system.js';
import { errnoOf } from '../../state/errno.js';
import { blaming, checkOutside, FileFault } from '../file-fault.js';
import { type Held, joinReal, type PathLocator, type Place, releasePlace } from '../locate/path-locator.js';
import type { DiskFlush } from './disk-flush.js';
import type { TreeCopy } from './tree-copy.js';
import { checkTree, TreeRemoval } from './tree-removal.js';

/** A destination, and the path that the caller gave for it. */
type Destination = Place & { readonly asked: string };

const ONE_FILE: ChangedTree = { files: 1, directories: 0, bytes: 0, skipped: 0 };

/** Removes and moves names; the last link of a path is the object itself and is not followed. */
export class TreeChanges {
  constructor(
    private readonly locator: PathLocator,
    private readonly copies: TreeCopy,
    private readonly flush: DiskFlush,
  ) {}

  async remove(path: string, recursive: boolean, access: FileAccess): Promise<ChangedTree> {
    const place = this.locator.place(path, false, 'write', access);
    try {
      const { parent, name, child } = existing(place);
      if (!child.stats.isDirectory()) {
        unlinkSync(parent.entry(name));
        await this.flush.folder(parent);
        return ONE_FILE;
      }
      return await this.#removeFolder(parent, name, recursive, access);
    } finally {
      releasePlace(place);
    }
  }

  async #removeFolder(
    parent: Held,
    name: string,
    recursive: boolean,
    access: FileAccess,
  ): Promise<ChangedTree> {
    const removal = new TreeRemoval(this.locator, access);
    if (recursive) {
      const folder = this.locator.descend(parent, name);
      try {
        await checkTree(this.locator, folder, access, (real) => access.guard.mayWrite(real));
        await removal.empty(folder);
      } finally {
        folder.release();
      }
    }
    rmdirSync(parent.entry(name));
    await this.flush.folder(parent);
    return { ...removal.changed, directories: removal.changed.directories + 1 };
  }

  async move(
    source: string,
    destination: string,
    overwrite: boolean,
    access: FileAccess,
  ): Promise<ChangedTree> {
    checkOutside(source, destination);
    const from = this.locator.place(source, false, 'both', access);
    try {
      const to = await blaming(destination, () => this.locator.place(destination, false, 'write', access));
      try {
        return await this.#movePlace(from, { ...to, asked: destination }, overwrite, access);
      } catch (error) {
        if (errnoOf(error) !== 'EXDEV') throw error;
        const copied = await this.copies.copy(source, destination, overwrite, access);
        await this.remove(source, true, access);
        return copied;
      } finally {
        releasePlace(to);
      }
    } finally {
      releasePlace(from);
    }
  }

  async #movePlace(
    from: Place,
    to: Destination,
    overwrite: boolean,
    access: FileAccess,
  ): Promise<ChangedTree> {
    const { child } = existing(from);
    if (to.child !== undefined && !overwrite) throw new FileFault('already-exists', to.asked);
    const isFolder = child.stats.isDirectory();
    if (isFolder) await this.#checkFolder(from, to, access);
    from.parent.confirm();
    to.parent.confirm();
    const oldPath = from.parent.entry(from.name);
    const newPath = to.parent.entry(to.name);
    const rename = (): void => {
      if (overwrite || !claim(oldPath, newPath, isFolder)) renameSync(oldPath, newPath);
    };
    // The source exists and may be moved: what fails now fails at the destination, unless its old directory
    // is read-only.
    if (isWritable(from.parent)) await blaming(to.asked, rename);
    else rename();
    await this.flush.folder(to.parent);
    if (to.parent.real !== from.parent.real) await this.flush.folder(from.parent);
    return isFolder ? { ...ONE_FILE, files: 0, directories: 1 } : ONE_FILE;
  }

  /** A directory takes its content along: each entry must be allowed at the source and at the destination. */
  async #checkFolder(from: Place, to: Destination, access: FileAccess): Promise<void> {
    const folder = this.locator.descend(from.parent, from.name);
    try {
      const { guard } = access;
      await checkTree(this.locator, folder, access, (real, relative) => {
        if (!guard.mayRead(real) || !guard.mayWrite(real)) return false;
        // Without the entry's name, which the caller need not know.
        if (!guard.mayWrite(joinReal(to.real, relative))) throw new FileFault('denied', to.asked);
        return true;
      });
    } finally {
      folder.release();
    }
  }
}

/**
 * Reserves `newPath` without replacing anything. A file is hard-linked there and its old name removed; the
 * move is complete (true). A directory is created empty; the caller must rename over it (false).
 */
function claim(oldPath: string, newPath: string, isFolder: boolean): boolean {
  if (isFolder) {
    mkdirSync(newPath);
    return false;
  }
  try {
    linkSync(oldPath, newPath);
  } catch (error) {
    const code = errnoOf(error);
    // No hard links here; the name was free a moment ago.
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'EOPNOTSUPP') return false;
    throw error;
  }
  unlinkSync(oldPath);
  return true;
}

function isWritable(folder: Held): boolean {
  try {
    accessSync(folder.entry('.'), constants.W_OK);
    return true;
  } catch {
    // Whatever the reason is, the rename meets it again.
    return false;
  }
}

function existing(place: Place): Place & { readonly child: Held } {
  const { child } = place;
  if (child === undefined) throw new FileFault('not-found');
  return { ...place, child };
}
