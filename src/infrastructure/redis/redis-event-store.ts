import type { EventStore, KeptStream, StreamEvent } from '../../application/ports/session/event-store.js';
import type { Logger } from '../../application/ports/system/logger.js';
import { reasonOf } from './redis-fault.js';
import { storeScript } from './redis-script.js';
import { sessionKey } from './redis-session-directory.js';
import type { RedisStore } from './redis-store.js';

const MAX_SESSION_CHARACTERS = 1024 * 1024;
/** What an event costs beside its text. */
const EVENT_COST = 100;
/** A stream that nobody wrote to for so long is not resumed any more. */
const LIFE_MS = 15 * 60 * 1000;

/**
 * KEYS: the events of a session, their size, the session. ARGV: the stream, kind (a number for an event, begin, end),
 * data. A Redis stream a session; the oldest events go first when they take too much. A call may outlast its session:
 * nobody can resume it then, and its keys must not come back.
 */
const KEEP = storeScript(`
if redis.call('EXISTS', KEYS[4]) == 0 then return 0 end
redis.call('XADD', KEYS[2], '*', 's', ARGV[2], 'k', ARGV[3], 'd', ARGV[4])
local size = redis.call('INCRBY', KEYS[3], #ARGV[4] + ${EVENT_COST})
while size > ${MAX_SESSION_CHARACTERS} do
  local oldest = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)[1]
  if not oldest then break end
  redis.call('XDEL', KEYS[2], oldest[1])
  size = redis.call('DECRBY', KEYS[3], #oldest[2][6] + ${EVENT_COST})
end
redis.call('PEXPIRE', KEYS[2], ${LIFE_MS})
redis.call('PEXPIRE', KEYS[3], ${LIFE_MS})
return 1
`);

interface KeptEntry {
  readonly kind: string;
  readonly data: string;
}

/** Streams that can be resumed at any instance. Writing is not waited for; what is not kept cannot be resumed. */
export class RedisEventStore implements EventStore {
  constructor(
    private readonly store: RedisStore,
    private readonly logger: Logger,
  ) {}

  begin(sessionId: string, streamId: string, about: string): void {
    this.#keep(sessionId, streamId, 'begin', about);
  }

  append(sessionId: string, streamId: string, { sequence, data }: StreamEvent): void {
    this.#keep(sessionId, streamId, String(sequence), data);
  }

  end(sessionId: string, streamId: string): void {
    this.#keep(sessionId, streamId, 'end', '');
  }

  async after(sessionId: string, streamId: string, sequence: number): Promise<KeptStream | undefined> {
    let entries: readonly KeptEntry[];
    try {
      const kept = await this.store.command('XRANGE', this.store.key('events', sessionId), '-', '+');
      entries = entriesOf(kept, streamId);
    } catch (error) {
      this.logger.debug(`Events are not read: ${reasonOf(error)}`);
      return undefined;
    }
    const events = entries.flatMap(({ kind, data }) =>
      /^\d+$/.test(kind) ? [{ sequence: Number(kind), data }] : [],
    );
    const missed = events.filter((event) => event.sequence > sequence);
    // What could not be kept leaves a gap.
    if (missed.some((event, index) => event.sequence !== sequence + 1 + index)) return undefined;
    return {
      events: missed,
      ended: entries.some(({ kind }) => kind === 'end'),
      about: entries.find(({ kind }) => kind === 'begin')?.data,
    };
  }

  forget(sessionId: string): void {
    const keys = [this.store.key('events', sessionId), this.store.key('events-size', sessionId)];
    this.store.command('DEL', ...keys).catch((error: unknown) => this.#lost(error));
  }

  #keep(sessionId: string, streamId: string, kind: string, data: string): void {
    const { store } = this;
    const keys = [
      store.key('events', sessionId),
      store.key('events-size', sessionId),
      sessionKey(store, sessionId),
    ];
    store.decide(KEEP, keys, [streamId, kind, data]).catch((error: unknown) => this.#lost(error));
  }

  #lost(error: unknown): void {
    this.logger.debug(`An event is not kept: ${reasonOf(error)}`);
  }
}

/** XRANGE answers with [id, [name, value, …]] for each entry. */
function entriesOf(kept: unknown, streamId: string): readonly KeptEntry[] {
  if (!Array.isArray(kept)) return [];
  return kept.flatMap((entry: unknown) => {
    const fields: unknown = Array.isArray(entry) ? entry[1] : undefined;
    if (!Array.isArray(fields) || fields[1] !== streamId) return [];
    return [{ kind: String(fields[3]), data: String(fields[5]) }];
  });
}
