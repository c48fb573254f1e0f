import { type Stats, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { BlobNames } from '../blob-names.js';
import { look } from '../git-files.js';
import type { ObjectReader } from '../object-reader.js';
import { headOf, type Repository } from '../repository-head.js';

const ENTRY =
  /(\d+) ([0-9a-f]+) (\d)\t([^\0]*)\0 {2}ctime: \d+:\d+\n {2}mtime: (\d+):\d+\n {2}dev: .*\n {2}uid: .*\n {2}size: (\d+)\t.*\n/g;
const MAX_RACY = 2_000;

/**
 * Files that were written in the same second as git's index are read by git every time, because their times alone do not
 * tell whether they changed since. Where all of them are as the index has them, and that second is over, the index gets a
 * later time, so that git does not need to open them. Answers whether a file of `path`'s time is safe now.
 */
export async function settleIndex(
  repository: Repository,
  path: string,
  { reader, names }: { readonly reader: ObjectReader; readonly names: BlobNames },
): Promise<boolean> {
  const index = join(repository.own, 'index');
  const [before, file, head] = [look(index), look(path), headOf(repository)];
  if (before === undefined || file === undefined || head === undefined) return false;
  const second = Math.floor(before.mtimeMs / 1_000);
  if (isYounger(before, file)) return true;
  const text = await reader.ask(head, ['ls-files', '-s', '-z', '--debug'], { index });
  if (text === undefined) return false;
  const racy = [...text.matchAll(ENTRY)].filter((entry) => Number(entry[5]) >= second);
  if (racy.length > MAX_RACY) return false;
  const now = await secondAfter(Math.max(...racy.map((entry) => Number(entry[5]))));
  if (now === undefined) return false;
  for (const [, , blob, stage, name = '', seconds, size] of racy) {
    const full = join(repository.top, name);
    const stats = look(full);
    // git sees by itself that this one is another file than it was.
    if (stats?.size !== Number(size) || Math.floor(stats.mtimeMs / 1_000) !== Number(seconds)) continue;
    if (stage !== '0' || (await names.of(full, head)) !== blob) return false;
  }
  const after = look(index);
  if (after === undefined) return false;
  // Another look at it, or git itself, may have been faster.
  if (after.ino !== before.ino || after.mtimeMs !== before.mtimeMs) return isYounger(after, file);
  try {
    utimesSync(index, now, now);
    return true;
  } catch {
    // Somebody else's repository.
    return false;
  }
}

function isYounger(one: Stats, other: Stats): boolean {
  return Math.floor(one.mtimeMs / 1_000) > Math.floor(other.mtimeMs / 1_000);
}

/** The present second, once `second` is over; nothing for a time that lies further ahead. */
async function secondAfter(second: number): Promise<number | undefined> {
  const left = (second + 1) * 1_000 - Date.now();
  if (left > 1_000) return undefined;
  // A timer may ring a moment early.
  if (left > 0) await setTimeout(left + 5);
  return Math.floor(Date.now() / 1_000);
}
