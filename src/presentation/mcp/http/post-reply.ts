import { type RpcMessage, toJsonLine, type Write } from '../surface/json-rpc.js';
import type { HttpExchange, HttpHeaders } from './http-exchange.js';
import { JSON_TYPE } from './http-guards.js';
import { type MessageStream, STREAM_HEADERS } from './message-stream.js';

export interface PostReplyOptions {
  /** How many requests the POST has. */
  readonly requests: number;
  /** Whether it was an array, whose answer is one too. */
  readonly batch: boolean;
  readonly headers: HttpHeaders;
  /** Whether the client knows events without data, to resume from. */
  readonly primed: boolean;
  readonly openStream: () => MessageStream;
}

/** Answers one POST: with JSON where there is nothing but the answers, with a stream as soon as there is more. */
export class PostReply {
  readonly #answers: string[] = [];
  readonly #began = performance.now();
  #stream: MessageStream | undefined;
  #sent = false;
  #over = 0;

  constructor(
    private readonly exchange: HttpExchange,
    private readonly options: PostReplyOptions,
  ) {}

  get waitedMs(): number {
    return performance.now() - this.#began;
  }

  readonly write: Write = async (message) => {
    if (this.#stream === undefined && !isAnswer(message)) this.beginStream();
    const json = toJsonLine(message);
    if (this.#stream !== undefined) {
      this.#stream.write(json);
      return;
    }
    this.#answers.push(json);
    if (this.#answers.length === this.options.requests) this.#sendJson();
  };

  /** One of the requests is over; a cancelled one has no answer. */
  requestOver(): boolean {
    this.#over += 1;
    if (this.#over < this.options.requests) return false;
    if (this.#stream !== undefined) this.#stream.end();
    else this.#sendJson();
    return true;
  }

  /** The rest is streamed: something comes before the answer, or the answer takes long. */
  beginStream(): void {
    if (this.#stream !== undefined || this.#sent) return;
    this.#stream = this.options.openStream();
    const sink = this.exchange.stream({ ...STREAM_HEADERS, ...this.options.headers });
    this.#stream.attach(sink, this.options.primed);
    for (const answer of this.#answers.splice(0)) this.#stream.write(answer);
  }

  /** Ends the connection while the call goes on; the client resumes the stream. */
  closeStream(): void {
    this.beginStream();
    this.#stream?.detach();
  }

  #sendJson(): void {
    if (this.#sent) return;
    this.#sent = true;
    const { batch, headers } = this.options;
    const [only] = this.#answers;
    if (only === undefined) this.exchange.send(202, headers);
    else {
      const body = batch ? `[${this.#answers.join(',')}]` : only;
      this.exchange.send(200, { ...JSON_TYPE, ...headers }, body);
    }
  }
}

function isAnswer(message: RpcMessage): boolean {
  return !('method' in message);
}
