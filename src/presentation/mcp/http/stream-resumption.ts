import type { EventStore, KeptStream } from '../../../application/ports/session/event-store.js';
import type { InstanceLink } from '../../../application/ports/session/instance-link.js';
import { errorResponse, INTERNAL_ERROR, type RequestId } from '../surface/json-rpc.js';
import type { EventSink, HttpExchange, HttpHeaders } from './http-exchange.js';
import { type HttpSession, streamPlace } from './http-session.js';
import { eventText } from './message-stream.js';

const LOOK_MS = 150;
/** How often it is asked whether the writer of a quiet stream is still there. */
const LOOKS_PER_SIGN = 10;
const LOST =
  'The instance of the server that ran this call is gone, and how far the call came is not known. Look before you repeat it.';

/** What a client names in Last-Event-ID. */
export interface EventPlace {
  readonly streamId: string;
  readonly sequence: number;
}

export function parseEventId(id: string): EventPlace | undefined {
  const [, streamId, sequence] = /^((?:[a-z0-9]{1,32}\.)?[a-z0-9]{1,12})_(\d{1,9})$/.exec(id) ?? [];
  return streamId === undefined ? undefined : { streamId, sequence: Number(sequence) };
}

/** Goes on with streams that this instance writes, and with those of others. */
export class StreamResumption {
  /** Who reads streams of other instances here, one for each. */
  readonly #followers = new Map<string, EventSink>();

  constructor(
    private readonly store: EventStore,
    private readonly link: InstanceLink,
  ) {}

  /** false: what followed is not kept any more. */
  async resume(
    exchange: HttpExchange,
    headers: HttpHeaders,
    session: HttpSession,
    place: EventPlace,
  ): Promise<boolean> {
    const stream = session.streamOf(place.streamId);
    if (stream !== undefined) {
      const missed = await stream.missedSince(place.sequence);
      if (missed !== undefined) stream.resume(exchange.stream(headers), missed);
      return missed !== undefined;
    }
    const { instance, isStanding } = streamPlace(place.streamId);
    if (instance === '' || instance === this.link.self) return false;
    const kept = await this.store.after(session.id, place.streamId, place.sequence);
    if (kept === undefined) return false;
    if (isStanding) {
      await this.#takeStanding(exchange.stream(headers), session, place, kept);
      return true;
    }
    if (kept.about === undefined && kept.events.length === 0 && !kept.ended) return false;
    session.use();
    void this.#follow(exchange.stream(headers), session, place, instance, kept).finally(() =>
      session.release(),
    );
    return true;
  }

  async #takeStanding(sink: EventSink, session: HttpSession, place: EventPlace, kept: KeptStream) {
    this.claimStanding(session);
    session.inheritStanding(sink, place.streamId, kept.events);
    // What changed while nobody listened for the client has no event: it is told to look again.
    session.connection.announceTools();
    session.connection.announcePrompts();
    session.connection.announceResources({ kind: 'list-changed' });
  }

  /** Of several instances one writes what belongs to no request. */
  claimStanding({ id }: HttpSession): void {
    this.link.tell(undefined, JSON.stringify({ kind: 'standing', session: id }));
  }

  /** Reads what another instance writes until that is over, or its writer is. */
  async #follow(
    sink: EventSink,
    session: HttpSession,
    { streamId, sequence }: EventPlace,
    writer: string,
    kept: KeptStream,
  ): Promise<void> {
    const key = `${session.id} ${streamId}`;
    const isOpen = () => this.#followers.get(key) === sink && session.isOpen;
    // As where it is written: the latest reader takes the place of an earlier one.
    this.#followers.get(key)?.end();
    this.#followers.set(key, sink);
    const left = () => {
      if (this.#followers.get(key) === sink) this.#followers.delete(key);
    };
    sink.onclose = left;
    let seen = sequence;
    let now: KeptStream | undefined = kept;
    for (let look = 1; isOpen(); look += 1) {
      for (const event of now?.events ?? []) {
        if (isOpen() && !sink.write(eventText(streamId, event))) left();
        seen = event.sequence;
      }
      if (now?.ended || !isOpen()) break;
      const isGone = look % LOOKS_PER_SIGN === 0 && !(await this.#isAlive(writer));
      if (!isGone) await new Promise((resolve) => setTimeout(resolve, LOOK_MS).unref());
      now = await this.store.after(session.id, streamId, seen);
      if (isGone && now !== undefined && !now.ended && now.events.length === 0) {
        for (const event of lostCalls(kept.about, seen)) sink.write(eventText(streamId, event));
        break;
      }
    }
    left();
    sink.end();
  }

  /** While nobody can be asked, nobody is taken for gone. */
  async #isAlive(instance: string): Promise<boolean> {
    try {
      return await this.link.isAlive(instance);
    } catch {
      return true;
    }
  }
}

/** The calls of a stream whose writer is gone, each answered with that. */
function lostCalls(about: string | undefined, seen: number) {
  const ids: readonly RequestId[] = about === undefined ? [] : JSON.parse(about);
  return ids.map((id, index) => ({
    sequence: seen + 1 + index,
    data: JSON.stringify(errorResponse(id, INTERNAL_ERROR, LOST)),
  }));
}
