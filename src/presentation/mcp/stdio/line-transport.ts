import type { Readable, Writable } from 'node:stream';
import {
  errorResponse,
  INVALID_REQUEST,
  PARSE_ERROR,
  type RpcMessage,
  toJsonLine,
} from '../surface/json-rpc.js';
import { type Line, LineSplitter } from './line-splitter.js';

const LONG_LINE = 256 * 1024;
/** A reaction to it costs less than queueMicrotask, which follows contexts that nobody here asks for. */
const SETTLED = Promise.resolve();

/**
 * MCP over a pair of byte streams, one JSON value a line. Lines that are not JSON are answered here and go no
 * further; a reader that does not keep up stops us from reading more.
 */
export class LineTransport {
  onerror?: (error: Error) => void;
  onclose?: () => void;
  /** Called for each line that is JSON. */
  onvalue?: (value: unknown) => void;

  readonly #splitter: LineSplitter;
  #pending = '';
  #closed = false;

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
    private readonly maxMessageBytes: number,
  ) {
    this.#splitter = new LineSplitter(maxMessageBytes);
  }

  async start(): Promise<void> {
    const onLine = (line: Line) => this.#receive(line);
    this.input.on('data', (chunk: Buffer) => this.#splitter.push(chunk, onLine));
    this.input.once('end', () => {
      this.#splitter.end(onLine);
      this.onclose?.();
    });
    this.input.once('error', (error) => this.#broken(error));
    // EPIPE: the client is gone. Nothing can be said to it any more, so the connection is over.
    this.output.once('error', (error) => this.#broken(error));
    this.output.on('drain', this.#readOn);
  }

  /** Messages of one turn of the event loop leave in one write. */
  async send(message: RpcMessage): Promise<void> {
    if (this.#closed) return;
    const line = toJsonLine(message);
    if (line.length > LONG_LINE) {
      this.#writeLong(line);
      return;
    }
    if (this.#pending === '') void SETTLED.then(this.#flush);
    this.#pending += `${line}\n`;
  }

  /** What arrives from here on is not read; answers still leave. */
  stopReading(): void {
    // A reader that catches up later must not make us read again: an open pipe would keep the process alive.
    this.output.off('drain', this.#readOn);
    this.input.removeAllListeners('data');
    this.input.pause();
  }

  async close(): Promise<void> {
    this.#flush();
    this.#closed = true;
    this.stopReading();
    await new Promise<void>((resolve) => {
      this.output.write('', () => resolve());
      this.output.once('error', () => resolve());
    });
  }

  readonly #readOn = (): void => {
    this.input.resume();
  };

  readonly #flush = (): void => {
    if (this.#pending === '' || this.#closed) return;
    const text = this.#pending;
    this.#pending = '';
    if (!this.output.write(text)) this.input.pause();
  };

  /** A line break put behind a long line would copy it once more. */
  #writeLong(line: string): void {
    this.#flush();
    this.output.cork();
    this.output.write(line);
    const more = this.output.write('\n');
    this.output.uncork();
    if (!more) this.input.pause();
  }

  #broken(error: Error): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onerror?.(error);
    this.onclose?.();
  }

  #receive(line: Line): void {
    if (line.kind === 'too-long') {
      const limit = `A message may have at most ${this.maxMessageBytes} bytes; this one had more and was dropped.`;
      this.#refuse(INVALID_REQUEST, limit);
      return;
    }
    if (line.kind === 'too-much') {
      void this.send(errorResponse(line.id, INVALID_REQUEST, `Invalid Request: ${line.why}.`));
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(line.text);
    } catch (error) {
      const why = error instanceof Error ? error.message.slice(0, 100) : 'it is not JSON';
      this.#refuse(PARSE_ERROR, `Parse error: the line is not JSON (${why}).`);
      return;
    }
    this.onvalue?.(value);
  }

  #refuse(code: number, message: string): void {
    void this.send(errorResponse(null, code, message));
  }
}
