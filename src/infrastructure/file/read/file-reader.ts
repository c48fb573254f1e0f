import { closeSync, constants, fstatSync, read, readlinkSync, readSync, type Stats } from 'node:fs';
import type {
  ByteRange,
  EntryKind,
  FileAccess,
  FileInfo,
  OpenedFile,
  ReadBytes,
} from '../../../application/ports/file/safe-file-system.js';
import { attempt, checkLive, FileFault } from '../file-fault.js';
import { type Held, type PathLocator, releasePlace } from '../locate/path-locator.js';
import { SpareBuffer } from './spare-buffer.js';

/** Smaller reads from the page cache finish before a thread could be woken. */
const SYNC_BYTES = 128 * 1024;

export function kindOf(stats: Stats): EntryKind {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'symlink' : 'special';
}

export function infoOf(stats: Stats, realPath: string, linkTarget?: string): FileInfo {
  return {
    kind: kindOf(stats),
    size: stats.size,
    mode: stats.mode & 0o7777,
    links: stats.nlink,
    modifiedMs: stats.mtimeMs,
    createdMs: stats.birthtimeMs,
    accessedMs: stats.atimeMs,
    realPath,
    version: `${stats.dev}:${stats.ino}:${stats.mtimeMs}:${stats.ctimeMs}:${stats.size}`,
    ...(linkTarget !== undefined && { linkTarget }),
  };
}

/** Opens, reads and describes files that a locator found. */
export class FileReader {
  readonly #spare = new SpareBuffer();

  constructor(private readonly locator: PathLocator) {}

  async open(path: string, access: FileAccess): Promise<OpenedFile> {
    const { descriptor, info } = await this.#opened(path, access);
    let pending = 0;
    let closed = false;
    const closeWhenIdle = () => {
      if (closed && pending === 0) closeSync(descriptor);
    };
    return {
      info,
      read: (offset, length) =>
        attempt(path, access, async () => {
          if (closed) throw new FileFault('io');
          pending += 1;
          try {
            return await readAt(descriptor, offset, length);
          } finally {
            pending -= 1;
            closeWhenIdle();
          }
        }),
      // The number may be reused immediately, so a running read keeps the descriptor.
      close: () => {
        if (closed) return;
        closed = true;
        closeWhenIdle();
      },
    };
  }

  async readBytes(path: string, range: ByteRange, access: FileAccess): Promise<ReadBytes> {
    const { descriptor, info } = await this.#opened(path, access);
    try {
      const length = Math.min(range.length, Math.max(0, info.size - range.offset));
      if (length <= SYNC_BYTES) return { bytes: await readAt(descriptor, range.offset, length), info };
      const place = this.#spare.take(length);
      const bytes = await this.#readLong(descriptor, range.offset, place.subarray(0, length), access);
      return { bytes, info, done: () => this.#spare.give(place) };
    } finally {
      closeSync(descriptor);
    }
  }

  info(path: string, followLinks: boolean, access: FileAccess): FileInfo {
    if (followLinks) {
      const held = this.locator.locate(path, 'read', access);
      held.release();
      return infoOf(held.stats, held.real);
    }
    const place = this.locator.place(path, false, 'read', access);
    try {
      if (place.child === undefined) throw new FileFault('not-found');
      const { stats } = place.child;
      if (!stats.isSymbolicLink()) return infoOf(stats, place.real);
      return infoOf(stats, place.real, readlinkSync(place.parent.entry(place.name)));
    } finally {
      releasePlace(place);
    }
  }

  async #opened(path: string, access: FileAccess): Promise<{ descriptor: number; info: FileInfo }> {
    const held = this.locator.locate(path, 'read', access);
    try {
      await checkNames(held, access);
      const descriptor = this.locator.openRegular(held, constants.O_RDONLY);
      return { descriptor, info: infoOf(held.stats, held.real) };
    } finally {
      held.release();
    }
  }

  async #readLong(
    descriptor: number,
    offset: number,
    bytes: Buffer,
    access: FileAccess,
  ): Promise<Uint8Array> {
    let filled = 0;
    while (filled < bytes.length) {
      const wanted = Math.min(4 * 1024 * 1024, bytes.length - filled);
      const got = await readInto(descriptor, bytes, filled, wanted, offset + filled);
      if (got === 0) break;
      filled += got;
      checkLive(access);
    }
    return bytes.subarray(0, filled);
  }
}

/** A file with several names is read only if none of them is hidden. */
export async function checkNames({ stats }: Held, access: FileAccess): Promise<void> {
  if (access.isDeniedObject?.(stats)) throw new FileFault('denied');
  if (stats.nlink < 2 || !stats.isFile() || access.isDeniedInode === undefined) return;
  const identity = { device: stats.dev, inode: stats.ino, changedMs: stats.ctimeMs };
  if (await access.isDeniedInode(identity)) throw new FileFault('hard-linked');
  checkLive(access);
}

/** Reads everything from a descriptor, up to a limit. */
export function readWhole(descriptor: number, maxBytes: number): Promise<Uint8Array> {
  const { size } = fstatSync(descriptor);
  if (size > maxBytes) throw new FileFault('too-large');
  return readAt(descriptor, 0, size);
}

async function readAt(descriptor: number, offset: number, length: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const got =
      length <= SYNC_BYTES
        ? readSync(descriptor, bytes, filled, length - filled, offset + filled)
        : await readInto(descriptor, bytes, filled, length - filled, offset + filled);
    if (got === 0) break;
    filled += got;
  }
  return bytes.subarray(0, filled);
}

function readInto(fd: number, bytes: Buffer, at: number, length: number, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(fd, bytes, at, length, position, (error, count) => (error ? reject(error) : resolve(count)));
  });
}
