import type { OnReadOpts, Socket } from 'node:net';

const BUFFER_BYTES = 64 * 1024;
const MOST_BUFFERS = 3;
/** Without a byte in either direction for so long, a connection is closed. */
const IDLE_MS = 15 * 60_000;
/** Of one connection, both directions together. */
const MOST_BYTES = 64 * 2 ** 30;

/**
 * The buffers of one download. The kernel fills one while the others wait to be written: nothing is allocated per
 * read, and a slow reader stops the sender.
 */
export class DownloadRing {
  readonly #free: Buffer[] = [];
  #made = 0;
  #reader: Socket | undefined;
  #writer: Socket | undefined;
  /** What came before there was somebody to write to. */
  readonly #early: Buffer[] = [];
  #speak: () => void = () => undefined;
  /** Resolves when the first bytes have come. */
  readonly spoke = new Promise<void>((resolve) => {
    this.#speak = resolve;
  });

  readonly onread: OnReadOpts = {
    buffer: () => this.#take(),
    callback: (bytes, buffer) => this.#read(Buffer.from(buffer.buffer, buffer.byteOffset, bytes), buffer),
  };

  start(reader: Socket, writer: Socket): void {
    this.#reader = reader;
    this.#writer = writer;
    for (const early of this.#early.splice(0)) writer.write(early);
    reader.resume();
  }

  // One is always left over: the next read goes into it, also if reading stops now and is taken up later.
  #read(content: Buffer, buffer: Uint8Array): boolean {
    const whole = Buffer.from(buffer.buffer, buffer.byteOffset, BUFFER_BYTES);
    this.#speak();
    if (this.#writer === undefined) {
      this.#early.push(Buffer.from(content));
      this.#free.push(whole);
      return false;
    }
    this.#writer.write(content, () => {
      this.#free.push(whole);
      this.#reader?.resume();
    });
    return this.#free.length + MOST_BUFFERS - this.#made > 1;
  }

  #take(): Buffer {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    this.#made += 1;
    return Buffer.allocUnsafeSlow(BUFFER_BYTES);
  }
}

export interface Traffic {
  readonly sent: number;
  readonly received: number;
}

/** Passes bytes on in both directions until both sides have ended. Each side may end its own direction first. */
export function relay(
  client: Socket,
  server: Socket,
  { prefix, ring }: { readonly prefix: Buffer; readonly ring: DownloadRing },
): Promise<Traffic> {
  return new Promise((resolve) => {
    let open = 2;
    const closed = (own: Socket, other: Socket) => () => {
      // Only one that broke takes the other along: what is still on its way to it is delivered.
      if (!own.readableEnded) other.destroy();
      open -= 1;
      if (open === 0) resolve({ sent: server.bytesWritten, received: server.bytesRead });
    };
    client.once('close', closed(client, server));
    server.once('close', closed(server, client));
    const broken = (): void => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      socket.on('error', broken);
      socket.setTimeout(IDLE_MS, broken);
    }
    if (prefix.length > 0) server.write(prefix);
    client.on('data', (chunk) => {
      if (server.bytesWritten + server.bytesRead > MOST_BYTES) return broken();
      if (!server.write(chunk)) client.pause();
    });
    server.on('drain', () => client.resume());
    client.once('end', () => server.end());
    server.once('end', () => client.end());
    ring.start(server, client);
    client.resume();
  });
}
