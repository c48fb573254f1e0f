import {
  appendFile,
  cp,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type {
  ByteRange,
  ChangedTree,
  FileAccess,
  FileInfo,
  SafeFileSystem,
  WalkEntry,
  WalkOptions,
  WriteOptions,
} from '../../src/application/ports/file/safe-file-system.js';
import { type FileError, fileError } from '../../src/domain/file/file-error.js';
import { Result } from '../../src/domain/result.js';

const DONE: ChangedTree = { files: 1, directories: 0, bytes: 0, skipped: 0 };

/** A file system without any guard: it follows every link and asks nobody. What is refused on it, the policy refused. */
export class PlainFileSystem implements SafeFileSystem {
  async open(path: string, _access: FileAccess) {
    return attempt(path, async () => {
      const handle = await open(path);
      const read = async (offset: number, length: number) => {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
        return Result.ok(buffer.subarray(0, bytesRead));
      };
      return { info: await infoOf(path), read, close: () => void handle.close() };
    });
  }

  readBytes(path: string, { offset, length }: ByteRange, _access: FileAccess) {
    return attempt(path, async () => ({
      bytes: (await readFile(path)).subarray(offset, offset + length),
      info: await infoOf(path),
    }));
  }

  info(path: string, _options: { readonly followLinks: boolean }, _access: FileAccess) {
    return attempt(path, () => infoOf(path));
  }

  write(path: string, content: string | Uint8Array, options: WriteOptions, _access: FileAccess) {
    return attempt(path, async () => {
      if (options.createParents === true) await mkdir(dirname(path), { recursive: true });
      await (options.mode === 'append' ? appendFile : writeFile)(path, content);
      return { created: true, bytes: content.length };
    });
  }

  async update<E extends { readonly message: string }>(
    path: string,
    _options: { readonly maxBytes: number },
    change: (content: Uint8Array, info: FileInfo) => Promise<Result<Uint8Array, E>>,
    _access: FileAccess,
  ) {
    const read = await attempt(path, () => readFile(path));
    if (!read.success) return read;
    const changed = await change(read.value, await infoOf(path));
    if (!changed.success) return changed;
    await writeFile(path, changed.value);
    return Result.ok({ created: false, bytes: changed.value.length });
  }

  makeDirectory(path: string, _options: { readonly parents: boolean }, _access: FileAccess) {
    return attempt(path, () => mkdir(path, { recursive: true }).then(() => 1));
  }

  move(source: string, destination: string) {
    return attempt(source, () => rename(source, destination).then(() => DONE));
  }

  copy(source: string, destination: string) {
    return attempt(source, () => cp(source, destination, { recursive: true }).then(() => DONE));
  }

  remove(path: string) {
    return attempt(path, () => rm(path, { recursive: true }).then(() => DONE));
  }

  walk(path: string, options: WalkOptions, _access: FileAccess) {
    return attempt(path, async () => {
      const found = await readdir(path, { recursive: options.maxDepth !== 1, withFileTypes: true });
      const entries = found.map(
        (entry): WalkEntry => ({
          name: entry.name,
          path: relative(path, join(entry.parentPath, entry.name)),
          folder: relative(path, entry.parentPath),
          kind: entry.isDirectory() ? 'directory' : 'file',
          nameable: true,
        }),
      );
      return once(entries);
    });
  }

  async recover(): Promise<number> {
    return 0;
  }
}

async function* once(entries: readonly WalkEntry[]) {
  yield entries;
}

async function infoOf(path: string): Promise<FileInfo> {
  const stats = await stat(path);
  return {
    kind: stats.isDirectory() ? 'directory' : 'file',
    size: stats.size,
    mode: stats.mode & 0o777,
    links: stats.nlink,
    modifiedMs: stats.mtimeMs,
    createdMs: stats.birthtimeMs,
    accessedMs: stats.atimeMs,
    realPath: path,
    version: String(stats.mtimeMs),
  };
}

async function attempt<T>(path: string, work: () => Promise<T>): Promise<Result<T, FileError>> {
  try {
    return Result.ok(await work());
  } catch {
    return Result.failure(fileError('io', path), 'FileError');
  }
}
