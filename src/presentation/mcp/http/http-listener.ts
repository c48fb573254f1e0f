import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** PEM texts. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_CONNECTIONS = 4096;
/** How long a client may take for its headers, and for all of a request. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
const KEEP_ALIVE_MS = 65_000;
const CHECK_MS = 2000;
/** A response of which nothing was taken for so long is given up. */
const STALLED_MS = 30_000;

/** One listening socket with the limits that keep slow and greedy clients from the others. */
export class HttpListener {
  readonly #stalls = new Map<import('node:net').Socket, { written: number; since: number }>();
  #watch: NodeJS.Timeout | undefined;
  #closed: Promise<void> | undefined;

  private constructor(
    private readonly server: Server,
    private readonly scheme: string,
  ) {
    server.maxConnections = MAX_CONNECTIONS;
    server.headersTimeout = HEADERS_MS;
    server.requestTimeout = REQUEST_MS;
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    server.maxRequestsPerSocket = 0;
    server.on('connection', (socket) => {
      socket.setNoDelay(true);
      this.#stalls.set(socket, { written: 0, since: performance.now() });
      socket.once('close', () => this.#stalls.delete(socket));
    });
  }

  static async open(listener: RequestListener, { host, port, tls }: ListenOptions): Promise<HttpListener> {
    const options = { maxHeaderSize: MAX_HEADER_BYTES, connectionsCheckingInterval: CHECK_MS };
    const server = tls
      ? createSecureServer({ ...options, ...tls }, listener)
      : createServer(options, listener);
    const opened = new HttpListener(server, tls ? 'https' : 'http');
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.off('error', reject);
        resolve();
      });
    });
    opened.#watch = setInterval(() => opened.#dropStalled(), CHECK_MS).unref();
    return opened;
  }

  get port(): number {
    const address = this.server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  url(host: string): string {
    return `${this.scheme}://${host.includes(':') ? `[${host}]` : host}:${this.port}`;
  }

  get connections(): number {
    return this.#stalls.size;
  }

  /** No new connections from here on; those that are open stay. Resolves when the last of them has ended. */
  stopAccepting(): Promise<void> {
    this.#closed ??= new Promise<void>((resolve) => this.server.close(() => resolve()));
    return this.#closed;
  }

  /** No new connections; those that are open end with their answer. */
  async close(graceMs: number): Promise<void> {
    clearInterval(this.#watch);
    const closed = this.stopAccepting();
    this.server.closeIdleConnections();
    const timer = setTimeout(() => this.server.closeAllConnections(), graceMs);
    await closed;
    clearTimeout(timer);
  }

  /** A reader that takes nothing of what waits for it holds memory for ever. */
  #dropStalled(): void {
    const now = performance.now();
    for (const [socket, seen] of this.#stalls) {
      const taken = socket.bytesWritten - socket.writableLength;
      if (socket.writableLength === 0 || taken !== seen.written) {
        seen.written = taken;
        seen.since = now;
      } else if (now - seen.since > STALLED_MS) socket.destroy();
    }
  }
}
