import { createHash } from 'node:crypto';
import { closeSync, lstatSync, read, readSync, type Stats } from 'node:fs';
import { openForeignFile } from '../../state/foreign-file.js';
import { FileFault } from '../file-fault.js';
import type { Held } from '../locate/path-locator.js';

const SYNC_BYTES = 128 * 1024;
const CHUNK = 1024 * 1024;

/** Throws unless the name refers to this very file. */
export function checkObject(entry: string, file: Pick<Stats, 'dev' | 'ino'>): void {
  const now = lstatSync(entry, { throwIfNoEntry: false });
  if (!now?.isFile() || now.dev !== file.dev || now.ino !== file.ino) throw new FileFault('exchanged');
}

/**
 * Throws unless the name refers to this very file and it contains what was written. Returns the digest, or
 * undefined for a file that its owner may write and not read. The file must be held open until then.
 */
export async function checkLanded(
  parent: Held,
  name: string,
  file: Stats,
  digest: string,
): Promise<string | undefined> {
  const opened = openForeignFile(parent.entry(name), { links: 'nowhere' });
  if ('kind' in opened) {
    checkObject(parent.entry(name), file);
    return undefined;
  }
  const { descriptor, status } = opened;
  try {
    if (status.dev !== file.dev || status.ino !== file.ino) throw new FileFault('exchanged');
    const isShort = status.size <= SYNC_BYTES;
    const landed = isShort ? digestNow(descriptor, status.size) : await digestInParts(descriptor);
    if (landed !== digest) throw new FileFault('exchanged');
    return landed;
  } finally {
    closeSync(descriptor);
  }
}

function digestNow(descriptor: number, size: number): string {
  const buffer = Buffer.allocUnsafe(size + 1);
  return createHash('sha256')
    .update(buffer.subarray(0, readSync(descriptor, buffer, 0, size + 1, 0)))
    .digest('hex');
}

async function digestInParts(descriptor: number): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let at = 0; ; ) {
    const count = await readPart(descriptor, buffer, at);
    if (count === 0) return hash.digest('hex');
    hash.update(buffer.subarray(0, count));
    at += count;
  }
}

function readPart(descriptor: number, buffer: Buffer, at: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(descriptor, buffer, 0, buffer.length, at, (error, count) =>
      error ? reject(error) : resolve(count),
    );
  });
}
