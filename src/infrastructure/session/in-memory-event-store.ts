import { injectable } from 'inversify';
import type { EventStore, StreamEvent } from '../../application/ports/session/event-store.js';

const MAX_SESSION_CHARACTERS = 1024 * 1024;
const MAX_ALL_CHARACTERS = 32 * 1024 * 1024;
/** What an event costs beside its text. */
const EVENT_COST = 100;

interface SessionEvents {
  readonly events: { readonly streamId: string; readonly event: StreamEvent }[];
  size: number;
}

/** In this process, within a bound for each session and one for all: the oldest events go first. */
@injectable()
export class InMemoryEventStore implements EventStore {
  /** Least recently written first. */
  readonly #sessions = new Map<string, SessionEvents>();
  #size = 0;

  append(sessionId: string, streamId: string, event: StreamEvent): void {
    const kept = this.#sessions.get(sessionId) ?? { events: [], size: 0 };
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, kept);
    kept.events.push({ streamId, event });
    this.#grow(kept, event.data.length + EVENT_COST);
    while (kept.size > MAX_SESSION_CHARACTERS && kept.events.length > 0) this.#shift(kept);
    for (const [id] of this.#sessions) {
      if (this.#size <= MAX_ALL_CHARACTERS) break;
      this.forget(id);
    }
  }

  async after(
    sessionId: string,
    streamId: string,
    sequence: number,
  ): Promise<readonly StreamEvent[] | undefined> {
    const events = (this.#sessions.get(sessionId)?.events ?? [])
      .filter((entry) => entry.streamId === streamId && entry.event.sequence > sequence)
      .map(({ event }) => event);
    const [first] = events;
    return first !== undefined && first.sequence !== sequence + 1 ? undefined : events;
  }

  forget(sessionId: string): void {
    this.#size -= this.#sessions.get(sessionId)?.size ?? 0;
    this.#sessions.delete(sessionId);
  }

  #shift(kept: SessionEvents): void {
    const gone = kept.events.shift();
    if (gone !== undefined) this.#grow(kept, -(gone.event.data.length + EVENT_COST));
  }

  #grow(kept: SessionEvents, by: number): void {
    kept.size += by;
    this.#size += by;
  }
}
