import { lstatSync } from 'node:fs';
import type { FileAccess, SafeFileSystem } from '../../../application/ports/file/safe-file-system.js';
import { joinReal } from '../locate/path-locator.js';

const HUGE_BYTES = 32 * 1024 * 1024;
const HEAD_BYTES = 8192;

/** The files worth searching: excludes those that are both huge and not text. */
export async function withoutHugeBinaries(
  files: SafeFileSystem,
  root: string,
  paths: readonly string[],
  access: FileAccess,
): Promise<readonly string[]> {
  const kept: string[] = [];
  for (const path of paths) {
    if (access.signal.aborted) return paths;
    // The size is not revealed; the file itself is opened under guard.
    const huge = (lstatSync(joinReal(root, path), { throwIfNoEntry: false })?.size ?? 0) > HUGE_BYTES;
    if (!huge || !(await isBinary(files, joinReal(root, path), access))) kept.push(path);
  }
  return kept;
}

async function isBinary(files: SafeFileSystem, path: string, access: FileAccess): Promise<boolean> {
  const head = await files.readBytes(path, { offset: 0, length: HEAD_BYTES }, access);
  if (!head.success) return true;
  const { bytes } = head.value;
  const marked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return !marked && bytes.includes(0);
}
