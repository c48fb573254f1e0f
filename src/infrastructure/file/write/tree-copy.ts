import type { Hash } from 'node:crypto';
import { closeSync, constants, read, readlinkSync, symlinkSync } from 'node:fs';
import type { ChangedTree, FileAccess } from '../../../application/ports/file/safe-file-system.js';
import { blaming, checkLive, checkOutside } from '../file-fault.js';
import { type Held, joinReal, type PathLocator, releasePlace } from '../locate/path-locator.js';
import { DirectoryWalk } from '../read/directory-walk.js';
import { checkNames } from '../read/file-reader.js';
import { type AtomicWriter, type Fill, writeAll } from './atomic-writer.js';
import type { DiskFlush } from './disk-flush.js';
import type { FileChanges } from './file-changes.js';

const CHUNK = 1024 * 1024;

/** Copies files and trees in chunks. Every path is located and checked on both sides. */
export class TreeCopy {
  constructor(
    private readonly locator: PathLocator,
    private readonly writer: AtomicWriter,
    private readonly changes: FileChanges,
    private readonly flush: DiskFlush,
  ) {}

  async copy(
    source: string,
    destination: string,
    overwrite: boolean,
    access: FileAccess,
  ): Promise<ChangedTree> {
    checkOutside(source, destination);
    const from = this.locator.locate(source, 'read', access);
    if (!from.stats.isDirectory()) {
      from.release();
      const bytes = await this.#copyFile(source, destination, { overwrite, durable: true }, access);
      return { files: 1, directories: 0, bytes, skipped: 0 };
    }
    // The walk releases the directory.
    return this.#copyFolder(from, destination, overwrite, access);
  }

  async #copyFolder(
    from: Held,
    destination: string,
    overwrite: boolean,
    access: FileAccess,
  ): Promise<ChangedTree> {
    const total = { files: 0, directories: 1, bytes: 0, skipped: 0 };
    const guard = {
      mayRead: (path: string) => {
        const allowed = access.guard.mayRead(path);
        if (!allowed) total.skipped += 1;
        return allowed;
      },
      mayWrite: (path: string) => access.guard.mayWrite(path),
    };
    try {
      await blaming(destination, () => this.changes.makeDirectory(destination, overwrite, access));
    } catch (error) {
      from.release();
      throw error;
    }
    const root = from.real;
    for await (const batch of new DirectoryWalk(this.locator, {}, { ...access, guard }).run(from)) {
      for (const { path, kind, nameable } of batch) {
        checkLive(access);
        access.progress?.(total.files + total.directories);
        const target = joinReal(destination, path);
        if (!nameable || kind === 'special') total.skipped += 1;
        else if (kind === 'directory') {
          total.directories += await this.changes.makeDirectory(target, true, access);
        } else {
          total.files += 1;
          total.bytes += await this.#copyEntry(joinReal(root, path), target, kind, overwrite, access);
        }
      }
    }
    checkLive(access);
    const made = this.locator.locate(destination, 'write', access);
    try {
      await this.flush.folder(made);
    } finally {
      made.release();
    }
    return total;
  }

  async #copyEntry(
    source: string,
    target: string,
    kind: 'file' | 'symlink',
    overwrite: boolean,
    access: FileAccess,
  ): Promise<number> {
    if (kind === 'file') return this.#copyFile(source, target, { overwrite, durable: false }, access);
    const from = this.locator.place(source, false, 'read', access);
    try {
      const to = this.locator.place(target, false, 'write', access);
      try {
        symlinkSync(readlinkSync(from.parent.entry(from.name)), to.parent.entry(to.name));
      } finally {
        releasePlace(to);
      }
    } finally {
      releasePlace(from);
    }
    return 0;
  }

  async #copyFile(
    source: string,
    target: string,
    { overwrite, durable }: { overwrite: boolean; durable: boolean },
    access: FileAccess,
  ): Promise<number> {
    const held = this.locator.locate(source, 'read', access);
    try {
      await checkNames(held, access);
      const descriptor = this.locator.openRegular(held, constants.O_RDONLY);
      try {
        const to = await blaming(target, () => this.locator.place(target, true, 'write', access));
        const mode = held.stats.mode & 0o777;
        let bytes = 0;
        const fill: Fill = async (file, hash) => {
          bytes = await pump(descriptor, file, access, hash);
        };
        const put = () => this.writer.replace(to, { exclusive: !overwrite, durable, mode }, fill);
        const digest = await blaming(target, put).finally(() => releasePlace(to));
        if (digest !== undefined) access.landed?.({ path: to.real, sha256: digest });
        return bytes;
      } finally {
        closeSync(descriptor);
      }
    } finally {
      held.release();
    }
  }
}

async function pump(from: number, to: number, access: FileAccess, hash: Hash | undefined): Promise<number> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let position = 0; ; ) {
    const count = await readChunk(from, buffer, position);
    if (count === 0) return position;
    await writeAll(to, buffer.subarray(0, count), hash);
    position += count;
    checkLive(access);
  }
}

function readChunk(descriptor: number, buffer: Buffer, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(descriptor, buffer, 0, buffer.length, position, (error, count) =>
      error ? reject(error) : resolve(count),
    );
  });
}
