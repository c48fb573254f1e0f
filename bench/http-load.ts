import { connect, type Socket } from 'node:net';

export interface HttpTarget {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** The bytes of one POST. */
export function postBytes({ url, headers }: HttpTarget, message: object): Buffer {
  const body = JSON.stringify(message);
  const lines = Object.entries({
    Host: url.host,
    Accept: 'application/json, text/event-stream',
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${url.pathname} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/** One connection that sends a request when the one before is answered, as plainly as it can be done. */
class Connection {
  #text = '';
  #answered: ((text: string) => void) | undefined;
  #failed: ((error: Error) => void) | undefined;

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('latin1');
    socket.on('data', (part: string) => this.#read(part));
    socket.on('error', (error) => this.#failed?.(error));
    socket.on('close', () => this.#failed?.(new Error('The server closed the connection.')));
  }

  static open(url: URL): Promise<Connection> {
    const socket = connect(Number(url.port), url.hostname);
    socket.setNoDelay(true);
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.once('connect', () => resolve(new Connection(socket)));
    });
  }

  /** The whole answer, headers included. */
  send(bytes: Buffer): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve;
      this.#failed = reject;
      this.socket.write(bytes);
    });
  }

  close(): void {
    this.#failed = undefined;
    this.socket.destroy();
  }

  #read(part: string): void {
    this.#text += part;
    const head = this.#text.indexOf('\r\n\r\n');
    if (head === -1) return;
    const length = /content-length: (\d+)/i.exec(this.#text.slice(0, head))?.[1];
    const whole =
      length === undefined
        ? this.#text.endsWith('\r\n0\r\n\r\n')
        : this.#text.length >= head + 4 + Number(length);
    if (!whole) return;
    const text = this.#text;
    this.#text = '';
    this.#answered?.(text);
  }
}

export interface HammerOptions {
  readonly connections: number;
  readonly requests: number;
  /** What every answer contains. */
  readonly expected: string;
}

/**
 * Sends a request over so many connections until so many are answered, and tells how long each took in milliseconds.
 * The connections are spread evenly over the targets and each has an id for its requests. Throws for a wrong answer.
 */
export async function hammer(
  targets: readonly HttpTarget[],
  message: object,
  { connections, requests, expected }: HammerOptions,
): Promise<readonly number[]> {
  const open = await Promise.all(
    Array.from({ length: connections }, async (_, place) => {
      const target = targets[place % targets.length];
      if (target === undefined) throw new Error('no server to send to');
      // The SDK loses one of two requests with the same id that are under way in a session.
      const bytes = postBytes(target, { ...message, id: place + 1 });
      return { connection: await Connection.open(target.url), bytes };
    }),
  );
  const times: number[] = [];
  let left = requests;
  const work = async ({ connection, bytes }: (typeof open)[number]): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const began = performance.now();
      const answer = await connection.send(bytes);
      times.push(performance.now() - began);
      if (!answer.includes(expected)) throw new Error(`wrong answer ${answer.slice(0, 300)}`);
    }
  };
  try {
    await Promise.all(open.map(work));
  } finally {
    for (const { connection } of open) connection.close();
  }
  return times;
}
