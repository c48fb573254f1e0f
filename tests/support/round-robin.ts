import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';

/** A proxy that sends each request to the next server, as a company has one in front of its instances. */
export class RoundRobin {
  readonly #server: Server;
  #next = 0;
  /** Whom the last requests went to. */
  readonly chosen: number[] = [];

  private constructor(private targets: readonly string[]) {
    this.#server = createServer((incoming, outgoing) => void this.#pass(incoming, outgoing));
  }

  static async open(targets: readonly string[]): Promise<RoundRobin> {
    const proxy = new RoundRobin(targets);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return `http://127.0.0.1:${address.port}/mcp`;
  }

  /** The next request goes to this one, and those after it go on from there. */
  aim(target: number): void {
    this.#next = target;
  }

  use(targets: readonly string[]): void {
    this.targets = targets;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body: Buffer[] = [];
    for await (const chunk of incoming) body.push(chunk);
    for (let attempt = 0; attempt < this.targets.length; attempt += 1) {
      const chosen = this.#next % this.targets.length;
      this.#next = (chosen + 1) % this.targets.length;
      this.chosen.push(chosen);
      if (await this.#send(this.targets[chosen] ?? '', incoming, Buffer.concat(body), outgoing)) return;
    }
    if (!outgoing.headersSent) outgoing.writeHead(502).end();
  }

  /** false: nobody is there, and nothing was sent. */
  #send(target: string, incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse): Promise<boolean> {
    return new Promise((resolve) => {
      const headers = { ...incoming.headers, 'content-length': String(body.length) };
      if (incoming.method === 'GET') Reflect.deleteProperty(headers, 'content-length');
      const sent = request(target, { method: incoming.method, headers, agent: false }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        outgoing.flushHeaders();
        answer.pipe(outgoing);
        answer.on('error', () => outgoing.destroy());
        answer.on('close', () => {
          if (!answer.complete) outgoing.destroy();
          resolve(true);
        });
      });
      outgoing.on('close', () => sent.destroy());
      sent.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED') return resolve(false);
        if (!outgoing.headersSent) outgoing.writeHead(502).end();
        resolve(true);
      });
      sent.end(body);
    });
  }
}
