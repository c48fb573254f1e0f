import { injectable } from 'inversify';
import type { EventStore, KeptStream, StreamEvent } from '../../application/ports/session/event-store.js';

const MAX_SESSION_CHARACTERS = 1024 * 1024;
const MAX_ALL_CHARACTERS = 32 * 1024 * 1024;
/** What an event costs beside its text. */
const EVENT_COST = 100;

type Entry = {
  readonly streamId: string;
  readonly size: number;
} & ({ readonly event: StreamEvent } | { readonly about: string } | { readonly ended: true });

interface SessionEvents {
  readonly entries: Entry[];
  size: number;
}

/** In this process, within a bound for each session and one for all: the oldest events go first. */
@injectable()
export class InMemoryEventStore implements EventStore {
  /** Least recently written first. */
  readonly #sessions = new Map<string, SessionEvents>();
  #size = 0;

  begin(sessionId: string, streamId: string, about: string): void {
    this.#keep(sessionId, { streamId, about, size: about.length + EVENT_COST });
  }

  append(sessionId: string, streamId: string, event: StreamEvent): void {
    this.#keep(sessionId, { streamId, event, size: event.data.length + EVENT_COST });
  }

  end(sessionId: string, streamId: string): void {
    this.#keep(sessionId, { streamId, ended: true, size: EVENT_COST });
  }

  async after(sessionId: string, streamId: string, sequence: number): Promise<KeptStream | undefined> {
    const entries = (this.#sessions.get(sessionId)?.entries ?? []).filter(
      (entry) => entry.streamId === streamId,
    );
    const events = entries.flatMap((entry) => ('event' in entry ? [entry.event] : []));
    const [first] = events;
    if (first !== undefined && first.sequence > sequence + 1) return undefined;
    return {
      events: events.filter((event) => event.sequence > sequence),
      ended: entries.some((entry) => 'ended' in entry),
      about: entries.flatMap((entry) => ('about' in entry ? [entry.about] : []))[0],
    };
  }

  forget(sessionId: string): void {
    this.#size -= this.#sessions.get(sessionId)?.size ?? 0;
    this.#sessions.delete(sessionId);
  }

  #keep(sessionId: string, entry: Entry): void {
    const kept = this.#sessions.get(sessionId) ?? { entries: [], size: 0 };
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, kept);
    kept.entries.push(entry);
    this.#grow(kept, entry.size);
    while (kept.size > MAX_SESSION_CHARACTERS && kept.entries.length > 0)
      this.#grow(kept, -(kept.entries.shift()?.size ?? 0));
    for (const [id] of this.#sessions) {
      if (this.#size <= MAX_ALL_CHARACTERS) break;
      this.forget(id);
    }
  }

  #grow(kept: SessionEvents, by: number): void {
    kept.size += by;
    this.#size += by;
  }
}
