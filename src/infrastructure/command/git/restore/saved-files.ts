import { randomBytes } from 'node:crypto';
import {
  lchownSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { readForeignFileSync } from '../../../state/foreign-file.js';
import { withFolderOf } from '../../workspace/quarantine.js';
import { entriesIn, look } from '../git-files.js';

/** A protected file as it was before a command. */
export type SavedFile =
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly status: Stats }
  | { readonly kind: 'link'; readonly target: string; readonly status: Stats };

const MAX_BYTES = 16 * 1024 * 1024;
const MAX_FILES = 2_000;

/** Everything at and below these paths; undefined where it is too much to be kept, or of a kind that cannot be. */
export function saveFiles(paths: readonly string[]): ReadonlyMap<string, SavedFile> | undefined {
  const saved = new Map<string, SavedFile>();
  let bytes = 0;
  for (const path of filesAt(paths)) {
    const file = savedFile(path);
    if (file === undefined) return undefined;
    saved.set(path, file);
    bytes += file.kind === 'file' ? file.bytes.length : file.target.length;
    if (bytes > MAX_BYTES || saved.size > MAX_FILES) return undefined;
  }
  return saved;
}

/** The files and links at and below these paths, one more than can be saved at most. */
export function filesAt(paths: readonly string[]): readonly string[] {
  const files: string[] = [];
  const stack = [...paths];
  for (let path = stack.pop(); path !== undefined && files.length <= MAX_FILES; path = stack.pop()) {
    const stats = look(path);
    if (stats?.isDirectory()) for (const { name } of entriesIn(path)) stack.push(join(path, name));
    else if (stats !== undefined) files.push(path);
  }
  return files;
}

export function savedFile(path: string): SavedFile | undefined {
  const status = look(path);
  if (status === undefined) return undefined;
  if (status.isSymbolicLink()) return { kind: 'link', target: targetOf(path), status };
  const file = readForeignFileSync(path, { maxBytes: MAX_BYTES, links: 'nowhere' });
  return file.kind === 'bytes' ? { kind: 'file', bytes: file.bytes, status: file.status } : undefined;
}

export function isSameFile(one: SavedFile, other: SavedFile | undefined): boolean {
  if (one.kind === 'link') return other?.kind === 'link' && other.target === one.target;
  return other?.kind === 'file' && other.bytes.equals(one.bytes);
}

/** Whole or not at all, in the place of what is there. */
export function writeSaved(path: string, before: SavedFile): void {
  withFolderOf(path, (entry) => {
    // Nobody knows the name before: whoever held it could keep the file from coming back.
    const fresh = join(dirname(entry), `.castellan-${randomBytes(12).toString('hex')}.tmp`);
    try {
      if (before.kind === 'link') symlinkSync(before.target, fresh);
      else writeFileSync(fresh, before.bytes, { flag: 'wx', mode: before.status.mode & 0o777 });
      if (process.getuid?.() === 0) lchownSync(fresh, before.status.uid, before.status.gid);
      renameSync(fresh, entry);
    } finally {
      rmSync(fresh, { force: true });
    }
    return undefined;
  });
}

function targetOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // Exchanged since it was looked at.
    return '';
  }
}
