import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, read, readSync, type Stats } from 'node:fs';
import { errnoOf } from '../../state/errno.js';
import { FileFault } from '../file-fault.js';
import type { Held } from '../locate/path-locator.js';

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
const SYNC_BYTES = 128 * 1024;
const CHUNK = 1024 * 1024;

/** Throws unless the name stands for this very file. */
export function checkObject(entry: string, file: Pick<Stats, 'dev' | 'ino'>): void {
  const now = lstatSync(entry, { throwIfNoEntry: false });
  if (now?.dev !== file.dev || now.ino !== file.ino) throw new FileFault('exchanged');
}

/** Throws unless the name stands for this very file and it holds what was written. */
export async function checkLanded(parent: Held, name: string, file: Stats, digest: string): Promise<void> {
  const descriptor = openLanded(parent.entry(name));
  try {
    const { dev, ino, size } = fstatSync(descriptor);
    if (dev !== file.dev || ino !== file.ino) throw new FileFault('exchanged');
    const landed = size <= SYNC_BYTES ? digestNow(descriptor, size) : await digestInParts(descriptor);
    if (landed !== digest) throw new FileFault('exchanged');
  } finally {
    closeSync(descriptor);
  }
}

function openLanded(entry: string): number {
  try {
    return openSync(entry, READ);
  } catch (error) {
    const code = errnoOf(error);
    throw code === 'ENOENT' || code === 'ELOOP' ? new FileFault('exchanged') : error;
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
