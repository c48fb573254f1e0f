import { MessageBounds } from '../surface/message-bounds.js';
import type { EventSink, HttpExchange, HttpHeaders, RequestBody } from './http-exchange.js';

const MAX_BEHIND = 4 * 1024 * 1024;

/** An exchange of a Web-standard server: a Request comes in, a Response goes out. */
export class WebExchange implements HttpExchange {
  readonly response: Promise<Response>;
  readonly path: string;
  #answer: (response: Response) => void = () => {};
  #answered = false;

  constructor(private readonly request: Request) {
    this.path = new URL(request.url).pathname;
    this.response = new Promise((resolve) => {
      this.#answer = resolve;
    });
  }

  get method(): string {
    return this.request.method;
  }

  header(name: string): string | undefined {
    // A Request need not carry the Host header; its address says the same.
    if (name === 'host') return this.request.headers.get(name) ?? new URL(this.request.url).host;
    return this.request.headers.get(name) ?? undefined;
  }

  headers(): Iterable<readonly [name: string, value: string]> {
    return this.request.headers;
  }

  onGone(listener: () => void): void {
    this.request.signal.addEventListener('abort', listener, { once: true });
  }

  async readBody(maxBytes: number): Promise<RequestBody> {
    if (Number(this.request.headers.get('content-length') ?? 0) > maxBytes) return { kind: 'too-large' };
    const bounds = new MessageBounds();
    let size = 0;
    const chunks: Uint8Array[] = [];
    try {
      for await (const chunk of this.request.body ?? []) {
        size += chunk.byteLength;
        if (size > maxBytes) return { kind: 'too-large' };
        const why = bounds.push(chunk);
        if (why !== undefined) return { kind: 'too-much', why };
        chunks.push(chunk);
      }
    } catch {
      // Reading fails only where the client has gone.
      return { kind: 'gone' };
    }
    return { kind: 'bytes', bytes: Buffer.concat(chunks) };
  }

  send(status: number, headers: HttpHeaders, body = ''): void {
    if (this.#answered) return;
    this.#answered = true;
    this.#answer(new Response(body === '' ? null : body, { status, headers: { ...headers } }));
  }

  stream(headers: HttpHeaders): EventSink {
    this.#answered = true;
    const encoder = new TextEncoder();
    let source: ReadableStreamDefaultController<Uint8Array> | undefined;
    const sink: EventSink = {
      onclose: undefined,
      write: (text) => {
        if (source === undefined) return false;
        source.enqueue(encoder.encode(text));
        if ((source.desiredSize ?? 0) > -MAX_BEHIND) return true;
        source.error(new Error('The reader did not keep up.'));
        source = undefined;
        return false;
      },
      end: () => {
        source?.close();
        source = undefined;
      },
    };
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          source = controller;
        },
        cancel: () => {
          source = undefined;
          sink.onclose?.();
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
    );
    this.#answer(new Response(body, { status: 200, headers: { ...headers } }));
    return sink;
  }
}
