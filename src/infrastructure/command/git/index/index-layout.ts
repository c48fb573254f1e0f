/** Names of objects, which are 20 or 32 bytes long. */
export type ObjectFormat = 'sha1' | 'sha256';

/** One entry, by its place in the bytes. */
export interface IndexRecord {
  /** Where it begins. */
  readonly start: number;
  readonly mode: number;
  /** 0: no conflict. */
  readonly stage: number;
  /** The bytes of the path; valid until the next record is read. */
  readonly name: Uint8Array;
}

/** What an index says beside its entries. */
export interface IndexLayout {
  readonly entries: number;
  /** The name of the shared index that this one adds to, in hexadecimal digits. */
  readonly shared: string | undefined;
}

/** The bytes are not as git writes them. */
export class IndexFault extends Error {}

const HEADER = 12;
/** Times, device, inode, mode, owner and size, before the name of the object. */
const FIXED = 40;
const MODE_AT = 24;
const EXTENDED = 0x4000;
const LONG_NAME = 0xfff;
const EXTENSION_HEADER = 8;
const KNOWN_EXTENSIONS = new Set(['TREE', 'REUC', 'UNTR', 'FSMN', 'EOIE', 'IEOT', 'link', 'sdir']);

/**
 * Reads an index of version 2, 3 or 4 as strictly as git writes it, and calls `visit` for each entry in order. Where git
 * itself would read the same bytes in two ways (one thread or several), both must come to the same.
 */
export function readIndex(
  bytes: Uint8Array,
  format: ObjectFormat,
  visit: (record: IndexRecord) => void,
): IndexLayout {
  return new IndexReader(bytes, format === 'sha1' ? 20 : 32).read(visit);
}

class IndexReader {
  readonly #view: DataView;
  /** Where the checksum begins. */
  readonly #end: number;
  #at = HEADER;
  /** Where each entry begins, and whether its name is told without the one before. */
  #starts = new Uint32Array();
  #isWhole = new Uint8Array();

  constructor(
    private readonly bytes: Uint8Array,
    private readonly hashLength: number,
  ) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#end = bytes.length - hashLength;
  }

  read(visit: (record: IndexRecord) => void): IndexLayout {
    if (this.#end < HEADER || this.#signature(0) !== 'DIRC') throw new IndexFault('it is no index');
    const version = this.#view.getUint32(4);
    const entries = this.#view.getUint32(8);
    if (version < 2 || version > 4) throw new IndexFault(`it has the unknown version ${version}`);
    if (entries * (FIXED + this.hashLength + 2) > this.#end) throw new IndexFault('it is cut short');
    this.#starts = new Uint32Array(entries);
    this.#isWhole = new Uint8Array(entries);
    let before = new Uint8Array();
    for (let number = 0; number < entries; number += 1) {
      this.#starts[number] = this.#at;
      const record = version === 4 ? this.#compressed(before, number) : this.#padded(number);
      before = record.name;
      visit(record);
    }
    return { entries, shared: this.#extensions(version) };
  }

  #padded(number: number): IndexRecord & { readonly name: Uint8Array<ArrayBuffer> } {
    const start = this.#at;
    const { at, mode, flags } = this.#head(start);
    const end = this.#zeroAfter(at);
    checkLength(flags, end - at);
    this.#isWhole[number] = 1;
    this.#at = start + ((end - start + 8) & ~7);
    return { start, mode, stage: (flags >> 12) & 3, name: this.#copy(at, end) };
  }

  #compressed(before: Uint8Array, number: number): IndexRecord & { readonly name: Uint8Array<ArrayBuffer> } {
    const start = this.#at;
    const { at, mode, flags } = this.#head(start);
    const [removed, from] = this.#number(at);
    const end = this.#zeroAfter(from);
    if (removed > before.length) throw new IndexFault('a name is shorter than nothing');
    const kept = before.length - removed;
    checkLength(flags, kept + end - from);
    const name = new Uint8Array(kept + end - from);
    name.set(before.subarray(0, kept));
    name.set(this.bytes.subarray(from, end), kept);
    this.#isWhole[number] = kept === 0 ? 1 : 0;
    this.#at = end + 1;
    return { start, mode, stage: (flags >> 12) & 3, name };
  }

  #head(start: number): { readonly at: number; readonly mode: number; readonly flags: number } {
    const flagsAt = start + FIXED + this.hashLength;
    if (flagsAt + 4 > this.#end) throw new IndexFault('it is cut short');
    const flags = this.#view.getUint16(flagsAt);
    const at = flagsAt + (flags & EXTENDED ? 4 : 2);
    return { at, mode: this.#view.getUint32(start + MODE_AT), flags };
  }

  /** How much of the name before goes; git counts these in a way of its own. */
  #number(at: number): readonly [value: number, next: number] {
    let next = at;
    let byte = this.bytes[next++] ?? 0;
    let value = byte & 127;
    while (byte & 128) {
      if (next >= this.#end || value > this.bytes.length) throw new IndexFault('it is cut short');
      byte = this.bytes[next++] ?? 0;
      value = (value + 1) * 128 + (byte & 127);
    }
    return [value, next];
  }

  #zeroAfter(at: number): number {
    const end = this.bytes.indexOf(0, at);
    if (end < 0 || end >= this.#end) throw new IndexFault('it is cut short');
    return end;
  }

  #copy(from: number, to: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.bytes.subarray(from, to));
  }

  #signature(at: number): string {
    return String.fromCharCode(...this.bytes.subarray(at, at + 4));
  }

  #extensions(version: number): string | undefined {
    const first = this.#at;
    let shared: string | undefined;
    this.#checkEnd(first);
    while (this.#at + EXTENSION_HEADER <= this.#end) {
      const name = this.#signature(this.#at);
      const from = this.#at + EXTENSION_HEADER;
      const length = this.#view.getUint32(this.#at + 4);
      if (from + length > this.#end) throw new IndexFault('it is cut short');
      // Git passes over what it does not know if the name begins with a capital letter.
      if (!KNOWN_EXTENSIONS.has(name) && !/^[A-Z]/.test(name))
        throw new IndexFault(`it has a part that git does not know: ${JSON.stringify(name)}`);
      if (name === 'IEOT') this.#checkBlocks(from, length, version);
      if (name === 'link') shared = this.#sharedName(from, length);
      this.#at = from + length;
    }
    return shared;
  }

  /** With several threads git goes by what the last bytes say about where the entries end. */
  #checkEnd(entriesEnd: number): void {
    const length = 4 + this.hashLength;
    const at = this.#end - length - EXTENSION_HEADER;
    if (at < HEADER || this.#signature(at) !== 'EOIE' || this.#view.getUint32(at + 4) !== length) return;
    if (this.#view.getUint32(at + EXTENSION_HEADER) !== entriesEnd)
      throw new IndexFault('it says that its entries end somewhere else than they do');
  }

  /** Each thread reads the entries from such a place on. */
  #checkBlocks(from: number, length: number, version: number): void {
    let number = 0;
    for (let at = from + 4; at + 8 <= from + length; at += 8) {
      const start = this.#starts[number];
      if (start !== this.#view.getUint32(at) || (version === 4 && this.#isWhole[number] !== 1))
        throw new IndexFault('it says that its entries begin somewhere else than they do');
      number += this.#view.getUint32(at + 4);
    }
    if (number !== this.#starts.length)
      throw new IndexFault('it says that it has another number of entries than it has');
  }

  #sharedName(from: number, length: number): string | undefined {
    if (length < this.hashLength) throw new IndexFault('it is cut short');
    const name = this.bytes.subarray(from, from + this.hashLength);
    return name.every((byte) => byte === 0) ? undefined : Buffer.from(name).toString('hex');
  }
}

function checkLength(flags: number, length: number): void {
  const told = flags & LONG_NAME;
  if (told !== Math.min(length, LONG_NAME)) throw new IndexFault('a name has another length than it says');
}
