import type { EventStore, StreamEvent } from '../../../application/ports/session/event-store.js';
import type { SharedSession } from '../../../application/ports/session/session-directory.js';
import { applyChoices, choicesOf } from '../session-2025/session-2025-choices.js';
import type { Session2025Connection } from '../session-2025/session-2025-connection.js';
import type { Session2025Connections } from '../session-2025/session-2025-connections.js';
import { type RequestId, type RpcMessage, toJsonLine } from '../surface/json-rpc.js';
import type { EventSink } from './http-exchange.js';
import { eventText, MessageStream } from './message-stream.js';

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
  /** The instance that runs its commands. */
  owner: string;
  /** What others know of it. */
  #told = { choices: '', processes: '' };

  constructor(
    readonly id: string,
    /** Everything that says who opened it; nobody else may use it. */
    readonly callerKey: string,
    readonly connection: Session2025Connection,
    readonly home: Session2025Connections,
    private readonly store: EventStore,
    /** The name of this instance, before the ids of its streams; empty where there is no other. */
    private readonly instance: string,
  ) {
    this.owner = instance;
  }

  get isOpen(): boolean {
    return this.connection.session.state !== 'closed';
  }

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

  /** What has changed since the others were told; undefined where nothing has. */
  news(): Pick<SharedSession, 'choices' | 'processes'> | undefined {
    const choices = choicesOf(this.connection);
    const processes =
      this.owner === this.instance ? this.home.runningProcesses(this.connection) : this.#told.processes;
    if (choices === this.#told.choices && processes === this.#told.processes) return undefined;
    return { choices, processes };
  }

  /** The others know. */
  wasTold(news: Pick<SharedSession, 'choices' | 'processes'>): void {
    this.#told = news;
  }

  /** Takes over what another instance has changed. */
  follow({ owner, choices, processes }: SharedSession): void {
    this.owner = owner;
    this.#told = { choices, processes };
    applyChoices(this.connection, choices);
  }

  /** From here on this instance runs its commands. What the one before ran is lost. */
  inherit(owner: string): void {
    this.owner = owner;
    this.home.mourn(this.connection, this.#told.processes);
  }

  /** Notices go to whoever reads the standing stream; a client that never opened it does not get them. */
  notify(message: RpcMessage): void {
    this.#standing?.write(toJsonLine(message));
  }

  openStanding(sink: EventSink, primed: boolean): void {
    this.#standing ??= new MessageStream(this.id, this.#name(STANDING), this.store);
    this.#standing.attach(sink, primed);
  }

  /** Goes on with the standing stream of another instance, after what its reader has missed. */
  inheritStanding(sink: EventSink, streamId: string, missed: readonly StreamEvent[]): void {
    for (const event of missed) sink.write(eventText(streamId, event));
    this.openStanding(sink, true);
  }

  /** The client reads it at another instance. */
  leaveStanding(): void {
    this.#standing?.detach();
    this.#standing = undefined;
  }

  openStream(requests: readonly RequestId[]): MessageStream {
    this.#count += 1;
    const stream = new MessageStream(this.id, this.#name(this.#count.toString(36)), this.store);
    if (this.instance !== '') this.store.begin(this.id, stream.id, JSON.stringify(requests));
    this.#streams.set(stream.id, stream);
    const ended = [...this.#streams.values()].filter((known) => known.ended);
    for (const old of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) this.#streams.delete(old.id);
    for (const [id] of this.#streams) if (this.#streams.size > MAX_STREAMS) this.#streams.delete(id);
    return stream;
  }

  /** undefined: there is no such stream here, or it is forgotten. */
  streamOf(streamId: string): MessageStream | undefined {
    return streamId === this.#name(STANDING) ? this.#standing : this.#streams.get(streamId);
  }

  beat(): void {
    this.#standing?.beat();
    for (const stream of this.#streams.values()) stream.beat();
  }

  /** Lets calls under way end for a while, and ends the conversation; here alone where others go on with it. */
  async end(everywhere: boolean): Promise<void> {
    await this.home.end(this.connection);
    this.#standing?.end();
    for (const stream of this.#streams.values()) stream.end();
    if (everywhere) this.store.forget(this.id);
  }

  #name(stream: string): string {
    return this.instance === '' ? stream : `${this.instance}.${stream}`;
  }
}

/** Which instance writes a stream, and whether it is the standing one. */
export function streamPlace(streamId: string): { readonly instance: string; readonly isStanding: boolean } {
  const [instance = '', stream = ''] = streamId.includes('.') ? streamId.split('.') : ['', streamId];
  return { instance, isStanding: stream === STANDING };
}
