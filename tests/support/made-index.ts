import { createHash } from 'node:crypto';

export interface MadeEntry {
  readonly path: string;
  readonly mode?: number;
  readonly blob?: string;
  readonly stage?: number;
}

const EMPTY_BLOB = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';

/** An index of version 2 as a program other than git could write it: any path, any mode, and a right checksum. */
export function madeIndex(entries: readonly MadeEntry[], extensions: readonly Buffer[] = []): Buffer {
  const sorted = entries.toSorted((one, other) =>
    Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)),
  );
  const header = Buffer.from('DIRC\0\0\0\x02\0\0\0\0', 'latin1');
  header.writeUInt32BE(sorted.length, 8);
  return sealed(Buffer.concat([header, ...sorted.map(bytesOf), ...extensions]));
}

export function sealed(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, createHash('sha1').update(bytes).digest()]);
}

export function madeExtension(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.write(name, 'latin1');
  header.writeUInt32BE(content.length, 4);
  return Buffer.concat([header, content]);
}

function bytesOf({ path, mode = 0o100644, blob = EMPTY_BLOB, stage = 0 }: MadeEntry): Buffer {
  const name = Buffer.from(path);
  const head = Buffer.alloc(62);
  head.writeUInt32BE(mode, 24);
  Buffer.from(blob, 'hex').copy(head, 40);
  head.writeUInt16BE((stage << 12) | Math.min(name.length, 0xfff), 60);
  const padding = 8 - ((head.length + name.length) % 8);
  return Buffer.concat([head, name, Buffer.alloc(padding)]);
}
