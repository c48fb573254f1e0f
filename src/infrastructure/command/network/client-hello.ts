/** What the start of a TLS connection says about the server that is meant. */
export type ReadHello =
  | { readonly kind: 'more' }
  | { readonly kind: 'broken' }
  /** undefined: the client names no server. */
  | { readonly kind: 'hello'; readonly name: string | undefined };

const HANDSHAKE_RECORD = 22;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
const HOST_NAME = 0;
const RECORD_HEADER = 5;
const LONGEST_RECORD = 16_384 + 256;
const LONGEST_HELLO = 65_536;

const BROKEN = { kind: 'broken' } as const;
const MORE = { kind: 'more' } as const;

/** Reads a ClientHello, which may be spread over records. Never throws, whatever the bytes are. */
export function readClientHello(bytes: Buffer): ReadHello {
  const parts: Buffer[] = [];
  let held = 0;
  for (let at = 0; ; ) {
    if (bytes.length > at && bytes[at] !== HANDSHAKE_RECORD) return BROKEN;
    if (bytes.length > at + 1 && bytes[at + 1] !== 3) return BROKEN;
    if (bytes.length < at + RECORD_HEADER) return MORE;
    const length = bytes.readUInt16BE(at + 3);
    if (length === 0 || length > LONGEST_RECORD) return BROKEN;
    const part = bytes.subarray(at + RECORD_HEADER, at + RECORD_HEADER + length);
    parts.push(part);
    held += part.length;
    const handshake = Buffer.concat(parts, held);
    if (handshake.length > 0 && handshake[0] !== CLIENT_HELLO) return BROKEN;
    const size = handshake.length < 4 ? undefined : handshake.readUIntBE(1, 3);
    if (size !== undefined && size > LONGEST_HELLO) return BROKEN;
    if (size !== undefined && handshake.length >= 4 + size) return readBody(handshake.subarray(4, 4 + size));
    if (part.length < length) return MORE;
    at += RECORD_HEADER + length;
  }
}

function readBody(body: Buffer): ReadHello {
  const fields = new Fields(body);
  fields.skip(2 + 32);
  fields.vector(1);
  fields.vector(2);
  fields.vector(1);
  if (fields.isWhole) return { kind: 'hello', name: undefined };
  const extensions = new Fields(fields.vector(2));
  if (fields.isBroken || !fields.isWhole) return BROKEN;
  let found: Buffer | undefined;
  while (!extensions.isWhole && !extensions.isBroken) {
    const type = extensions.number(2);
    const content = extensions.vector(2);
    if (type !== SERVER_NAME) continue;
    if (found !== undefined) return BROKEN;
    found = content;
  }
  if (extensions.isBroken) return BROKEN;
  return found === undefined ? { kind: 'hello', name: undefined } : readServerName(found);
}

/** Exactly one name: of two nobody knows which one a server takes. */
function readServerName(content: Buffer): ReadHello {
  const outer = new Fields(content);
  const list = new Fields(outer.vector(2));
  const type = list.number(1);
  const name = list.vector(2);
  if (outer.isBroken || !outer.isWhole || list.isBroken || !list.isWhole || type !== HOST_NAME) return BROKEN;
  return { kind: 'hello', name: name.toString('latin1') };
}

/** Reads one field after the other; after the first that is not there, all are empty. */
class Fields {
  #at = 0;
  isBroken = false;

  constructor(private readonly bytes: Buffer) {}

  get isWhole(): boolean {
    return this.#at === this.bytes.length;
  }

  skip(length: number): Buffer {
    const field = this.bytes.subarray(this.#at, this.#at + length);
    if (this.isBroken || field.length < length) {
      this.isBroken = true;
      return Buffer.alloc(0);
    }
    this.#at += length;
    return field;
  }

  number(size: 1 | 2): number {
    const field = this.skip(size);
    return field.length < size ? 0 : field.readUIntBE(0, size);
  }

  vector(size: 1 | 2): Buffer {
    return this.skip(this.number(size));
  }
}
