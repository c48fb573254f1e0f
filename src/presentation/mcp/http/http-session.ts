import type { EventStore } from '../../../application/ports/session/event-store.js';
import type { Session2025Connection } from '../session-2025/session-2025-connection.js';
import type { Session2025Connections } from '../session-2025/session-2025-connections.js';
import { type RpcMessage, toJsonLine } from '../surface/json-rpc.js';
import type { EventSink } from './http-exchange.js';
import { MessageStream } from './message-stream.js';

/** The stream that belongs to no request. */
const STANDING = 'n';
/** How many streams that ended a client may still resume. */
const MAX_ENDED = 32;
const MAX_STREAMS = 1000;

/** One client's session over HTTP: its conversation and the streams that carry it. */
export class HttpSession {
  /** Oldest first. */
  readonly #streams = new Map<string, MessageStream>();
  #standing: MessageStream | undefined;
  #count = 0;
  #requests = 0;
  usedAt = performance.now();

  constructor(
    readonly id: string,
    /** Everything that says who opened it; nobody else may use it. */
    readonly callerKey: string,
    readonly connection: Session2025Connection,
    private readonly home: Session2025Connections,
    private readonly store: EventStore,
  ) {}

  /** Somebody waits for something of this session. */
  get busy(): boolean {
    if (this.#requests > 0 || this.#standing?.attached) return true;
    for (const stream of this.#streams.values()) if (stream.attached) return true;
    return false;
  }

  use(): void {
    this.#requests += 1;
    this.usedAt = performance.now();
  }

  release(): void {
    this.#requests -= 1;
    this.usedAt = performance.now();
  }

  /** Notices go to whoever reads the standing stream; a client that never opened it does not get them. */
  notify(message: RpcMessage): void {
    this.#standing?.write(toJsonLine(message));
  }

  openStanding(sink: EventSink, primed: boolean): void {
    this.#standing ??= new MessageStream(this.id, STANDING, this.store);
    this.#standing.attach(sink, primed);
  }

  openStream(): MessageStream {
    this.#count += 1;
    const stream = new MessageStream(this.id, this.#count.toString(36), this.store);
    this.#streams.set(stream.id, stream);
    const ended = [...this.#streams.values()].filter((known) => known.ended);
    for (const old of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) this.#streams.delete(old.id);
    for (const [id] of this.#streams) if (this.#streams.size > MAX_STREAMS) this.#streams.delete(id);
    return stream;
  }

  /** undefined: there is no such stream here, or it is forgotten. */
  streamOf(streamId: string): MessageStream | undefined {
    return streamId === STANDING ? this.#standing : this.#streams.get(streamId);
  }

  beat(): void {
    this.#standing?.beat();
    for (const stream of this.#streams.values()) stream.beat();
  }

  /** Lets calls under way end for a while, and ends the conversation. */
  async end(): Promise<void> {
    await this.home.end(this.connection);
    this.#close();
  }

  #close(): void {
    this.#standing?.end();
    for (const stream of this.#streams.values()) stream.end();
    this.store.forget(this.id);
  }
}
