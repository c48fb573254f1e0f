import type { EventStore, StreamEvent } from '../../../application/ports/session/event-store.js';
import type { EventSink, HttpHeaders } from './http-exchange.js';

export const STREAM_HEADERS: HttpHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};
/** When a client that lost its stream should ask again. */
const RETRY_MS = 1000;

/** The messages of one stream: sent while somebody reads, kept for a while so that a reader can resume. */
export class MessageStream {
  #sequence = 0;
  #sink: EventSink | undefined;
  #ended = false;

  constructor(
    private readonly sessionId: string,
    readonly id: string,
    private readonly store: EventStore,
  ) {}

  get attached(): boolean {
    return this.#sink !== undefined;
  }

  /** Nothing more will come. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Takes the place of an earlier reader. `primed`: the reader gets an id to resume from before any message. */
  attach(sink: EventSink, primed: boolean): void {
    this.#sink?.end();
    this.#sink = sink;
    sink.onclose = () => {
      if (this.#sink === sink) this.#sink = undefined;
    };
    if (primed) this.#send(`id: ${this.id}_${this.#sequence}\nretry: ${RETRY_MS}\ndata: \n\n`);
  }

  /** What came after the event that a reader has seen; undefined where some of it is gone. */
  async missedSince(sequence: number): Promise<readonly StreamEvent[] | undefined> {
    if (sequence > this.#sequence) return undefined;
    const kept = await this.store.after(this.sessionId, this.id, sequence);
    return kept === undefined || kept.events.length !== this.#sequence - sequence ? undefined : kept.events;
  }

  /** Sends what the reader missed, then what comes. */
  resume(sink: EventSink, missed: readonly StreamEvent[]): void {
    this.attach(sink, false);
    for (const { sequence, data } of missed) this.#send(this.#eventOf(sequence, data));
    if (this.#ended) this.detach();
  }

  write(json: string): void {
    if (this.#ended) return;
    this.#sequence += 1;
    this.store.append(this.sessionId, this.id, { sequence: this.#sequence, data: json });
    this.#send(this.#eventOf(this.#sequence, json));
  }

  /** Ends the reader's connection, not the stream: it can be resumed. */
  detach(): void {
    const sink = this.#sink;
    this.#sink = undefined;
    sink?.end();
  }

  /** Keeps proxies from taking a quiet stream for a dead one. */
  beat(): void {
    this.#send(': \n\n');
  }

  end(): void {
    this.#ended = true;
    this.detach();
  }

  #eventOf(sequence: number, data: string): string {
    return `id: ${this.id}_${sequence}\nevent: message\ndata: ${data}\n\n`;
  }

  #send(text: string): void {
    if (this.#sink !== undefined && !this.#sink.write(text)) this.#sink = undefined;
  }
}
