import { connect, type Socket } from 'node:net';

const DRIP_MS = 500;

export function postHead(key: string, length: number, more = ''): string {
  return `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n${more}Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${length}\r\n\r\n`;
}

export async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    socket.once('connect', resolve);
    socket.once('close', resolve);
  });
  return socket;
}

/** Senders whose messages never end, a byte at a time. Whoever is cut comes again, so that the crowd stands. */
export class SlowSenders {
  readonly #sockets = new Set<Socket>();
  #drip: NodeJS.Timeout | undefined;
  #over = false;
  /** How many the server has given up. */
  cut = 0;

  constructor(
    private readonly port: number,
    private readonly keys: readonly string[],
  ) {}

  async stand(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, (_, n) => this.#open(this.keys[n % this.keys.length])));
    this.#drip = setInterval(() => {
      for (const socket of this.#sockets) socket.write(' ');
    }, DRIP_MS);
  }

  leave(): void {
    this.#over = true;
    clearInterval(this.#drip);
    for (const socket of this.#sockets) socket.destroy();
  }

  async #open(key = ''): Promise<void> {
    const socket = await openSocket(this.port);
    if (this.#over) return void socket.destroy();
    this.#sockets.add(socket);
    socket.resume();
    socket.once('close', () => {
      this.#sockets.delete(socket);
      if (this.#over) return;
      this.cut += 1;
      void this.#open(key);
    });
    socket.write(`${postHead(key, 100_000)}{`);
  }
}
