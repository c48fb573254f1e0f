import type { IncomingMessage, ServerResponse } from 'node:http';
import { MessageBounds } from '../surface/message-bounds.js';
import { backlog } from './backlog.js';
import type { EventSink, HttpExchange, HttpHeaders, RequestBody } from './http-exchange.js';

const LONG_ANSWER = 256 * 1024;

/** An exchange of node:http, and of the frameworks that are built on it. */
export class NodeExchange implements HttpExchange {
  constructor(
    private readonly request: IncomingMessage & { readonly body?: unknown },
    private readonly response: ServerResponse,
  ) {}

  get method(): string {
    return this.request.method ?? 'GET';
  }

  get path(): string {
    const url = this.request.url ?? '/';
    const query = url.indexOf('?');
    return query === -1 ? url : url.slice(0, query);
  }

  header(name: string): string | undefined {
    // Of two, a proxy in front may have checked the other one (RFC 9112, 3.2).
    if (name === 'host' && this.#hasTwo(name)) return undefined;
    const value = this.request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  *headers(): Iterable<readonly [name: string, value: string]> {
    for (const [name, value] of Object.entries(this.request.headers)) {
      if (value !== undefined) yield [name, Array.isArray(value) ? value.join(', ') : value];
    }
  }

  #hasTwo(name: string): boolean {
    const { rawHeaders } = this.request;
    let count = 0;
    for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === name) count += 1;
    return count > 1;
  }

  onGone(listener: () => void): void {
    this.response.once('close', () => {
      if (!this.response.writableFinished) listener();
    });
  }

  readBody(maxBytes: number): Promise<RequestBody> {
    const { request } = this;
    if (request.body !== undefined) return Promise.resolve({ kind: 'parsed', value: request.body });
    if (Number(request.headers['content-length'] ?? 0) > maxBytes)
      return Promise.resolve({ kind: 'too-large' });
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      const bounds = new MessageBounds();
      let size = 0;
      const give = (body: RequestBody) => {
        request.removeAllListeners('data');
        chunks.length = 0;
        resolve(body);
      };
      request.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) return give({ kind: 'too-large' });
        const why = bounds.push(chunk);
        if (why !== undefined) return give({ kind: 'too-much', why });
        chunks.push(chunk);
      });
      request.on('end', () => {
        const [only] = chunks;
        const bytes = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
        resolve({ kind: 'bytes', bytes });
      });
      // After 'end' this changes nothing any more.
      request.on('close', () => resolve({ kind: 'gone' }));
      request.on('error', () => resolve({ kind: 'gone' }));
    });
  }

  send(status: number, headers: HttpHeaders, body = ''): void {
    const { response, request } = this;
    if (response.headersSent || response.destroyed) return;
    // What the client still has to say is not read: the connection cannot be used again.
    const rest = request.complete ? undefined : { Connection: 'close' };
    response.writeHead(status, { ...headers, ...rest, 'Content-Length': Buffer.byteLength(body) });
    response.end(body);
    if (response.writableLength > LONG_ANSWER) this.#watch();
  }

  /** A long answer that nobody takes counts until it is taken, or given up with its connection. */
  #watch(): void {
    const { response } = this;
    if (!backlog.allows(response, response.writableLength)) response.destroy();
    response.once('close', () => backlog.gone(response));
  }

  stream(headers: HttpHeaders): EventSink {
    const { response } = this;
    response.writeHead(200, headers);
    response.flushHeaders();
    const sink: EventSink = {
      onclose: undefined,
      write: (text) => {
        if (response.destroyed) return false;
        response.write(text);
        if (backlog.allows(response, response.writableLength)) return true;
        // The client resumes when it can.
        response.destroy();
        return false;
      },
      end: () => void response.end(),
    };
    response.on('drain', () => backlog.allows(response, response.writableLength));
    response.once('close', () => {
      backlog.gone(response);
      sink.onclose?.();
    });
    return sink;
  }
}
