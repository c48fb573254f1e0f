import { createHash } from 'node:crypto';
import { readlinkSync, type Stats } from 'node:fs';
import { BoundedMap } from '../../../domain/bounded-map.js';
import { objectKey } from '../../file/object-key.js';
import { readForeignFile } from '../../state/foreign-file.js';
import { look } from './git-files.js';
import type { ObjectStore } from './object-reader.js';

const MAX_FILE = 4 * 1024 * 1024;
const MAX_KEPT = 10_000;
/** The kernel stamps changes with a clock that lags behind a little. */
const SETTLED_MS = 50;

/** What git would call the content of files, remembered as long as they do not change. */
export class BlobNames {
  readonly #known = new BoundedMap<string, string>(MAX_KEPT);

  /** undefined for what is no file or link, and for large files. */
  async of(path: string, { format }: Pick<ObjectStore, 'format'>): Promise<string | undefined> {
    const stats = look(path);
    if (stats?.isSymbolicLink()) return nameOf(format, linkTarget(path));
    if (!stats?.isFile() || stats.size > MAX_FILE) return undefined;
    const key = format + stampOf(stats);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const file = await readForeignFile(path, { maxBytes: MAX_FILE, links: 'nowhere' });
    if (file.kind !== 'bytes') return undefined;
    const name = nameOf(format, file.bytes);
    const after = look(path);
    // Only what did not change while it was read is worth remembering, and only once the clock has moved on.
    const isSame = after !== undefined && stampOf(after) === stampOf(stats);
    if (isSame && Date.now() - after.ctimeMs > SETTLED_MS) this.#known.set(key, name);
    return name;
  }
}

/** Tells one state of a file from the next. The kernel sets the change time; nobody can set it back. */
export function stampOf(stats: Stats): string {
  return [objectKey(stats), stats.ctimeMs, stats.mtimeMs, stats.size].join(':');
}

function nameOf(format: ObjectStore['format'], content: Buffer): string {
  return createHash(format).update(`blob ${content.length}\0`).update(content).digest('hex');
}

function linkTarget(path: string): Buffer {
  try {
    return readlinkSync(path, { encoding: 'buffer' });
  } catch {
    // Exchanged since it was looked at: the name of nothing is no file's of interest.
    return Buffer.alloc(0);
  }
}
