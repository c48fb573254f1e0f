/** What came as the body of a request. */
export type RequestBody =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** A framework in front of us has parsed it. */
  | { readonly kind: 'parsed'; readonly value: unknown }
  | { readonly kind: 'too-large' }
  /** It holds more than a message may, whatever its length. */
  | { readonly kind: 'too-much'; readonly why: string }
  /** The client went away, or was too slow. */
  | { readonly kind: 'gone' };

export type HttpHeaders = Readonly<Record<string, string>>;

/** An open event stream to a client. */
export interface EventSink {
  /** Called once when the client has gone. */
  onclose: (() => void) | undefined;
  /** false: the reader does not keep up, and the stream is cut. */
  write(text: string): boolean;
  end(): void;
}

/** One HTTP request and the way to answer it, whichever server carries it. */
export interface HttpExchange {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** By its lower-case name. */
  header(name: string): string | undefined;
  /** All of them, with lower-case names. */
  headers(): Iterable<readonly [name: string, value: string]>;
  /** Called once where the client goes before it has its answer. */
  onGone(listener: () => void): void;
  readBody(maxBytes: number): Promise<RequestBody>;
  send(status: number, headers: HttpHeaders, body?: string): void;
  stream(headers: HttpHeaders): EventSink;
}
