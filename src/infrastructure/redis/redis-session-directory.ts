import type {
  DirectoryNotice,
  SessionChange,
  SessionDirectory,
  SharedSession,
} from '../../application/ports/session/session-directory.js';
import { Result } from '../../domain/result.js';
import { reasonOf } from './redis-fault.js';
import { type RedisScript, storeScript } from './redis-script.js';
import type { RedisStore } from './redis-store.js';

const CHANNEL = 'sessions';

/** KEYS: the store, the session, the channel. ARGV: the store's name, milliseconds to live, names and values. */
const ADD = storeScript(`
for i = 3, #ARGV, 2 do redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1]) end
redis.call('HSET', KEYS[2], 'usedAt', string.format('%.0f', milliseconds()))
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return 1
`);

const GET = storeScript(`return redis.call('HGETALL', KEYS[2])`);

const CHANGE = storeScript(`
if redis.call('EXISTS', KEYS[2]) == 0 then return 0 end
for i = 3, #ARGV, 2 do redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1]) end
redis.call('PUBLISH', KEYS[3], ARGV[2])
return 1
`);

const CLAIM = storeScript(`
local owner = redis.call('HGET', KEYS[2], 'owner')
if owner == ARGV[3] then
  owner = ARGV[4]
  redis.call('HSET', KEYS[2], 'owner', owner)
  redis.call('PUBLISH', KEYS[3], ARGV[2])
end
return owner
`);

/** KEYS: the store, sessions. Answers with the places of those that are gone. */
const KEEP = storeScript(`
local now, gone = string.format('%.0f', milliseconds()), {}
for i = 2, #KEYS do
  if redis.call('EXISTS', KEYS[i]) == 0 then gone[#gone + 1] = i - 2
  else
    redis.call('HSET', KEYS[i], 'usedAt', now)
    redis.call('PEXPIRE', KEYS[i], ARGV[2])
  end
end
return gone
`);

const END = storeScript(`
local used = redis.call('HGET', KEYS[2], 'usedAt')
if used and milliseconds() - tonumber(used) < tonumber(ARGV[3]) then return 0 end
redis.call('DEL', KEYS[2])
redis.call('PUBLISH', KEYS[3], ARGV[2])
return 1
`);

/** What says that a session has begun and not ended. */
export function sessionKey(store: RedisStore, id: string): string {
  return store.key('session', id);
}

/** A hash a session, which goes when nobody uses it; a channel tells the other instances what became of it. */
export class RedisSessionDirectory implements SessionDirectory {
  readonly #listeners = new Set<(notice: DirectoryNotice) => void>();

  constructor(
    private readonly store: RedisStore,
    private readonly lifeMs: number,
  ) {
    store.listen(CHANNEL, (text) => this.#heard(text));
    store.onJoin((kind) => this.#tell({ kind: 'rejoined', emptied: kind === 'new' }));
  }

  async add(session: SharedSession): Promise<Result<void>> {
    const added = await this.#decide(ADD, session.id, [this.lifeMs, ...Object.entries(session).flat()]);
    return added.success ? Result.ok(undefined) : added;
  }

  async get(id: string): Promise<Result<SharedSession | undefined>> {
    const found = await this.#decide(GET, id, []);
    if (!found.success) return found;
    return Result.ok(sessionOf(found.value));
  }

  async change(id: string, change: SessionChange): Promise<Result<void>> {
    const told = this.#notice('changed', id);
    const changed = await this.#decide(CHANGE, id, [told, ...Object.entries(change).flat()]);
    return changed.success ? Result.ok(undefined) : changed;
  }

  async claim(id: string, from: string, to: string): Promise<Result<string | undefined>> {
    const owner = await this.#decide(CLAIM, id, [this.#notice('changed', id), from, to]);
    if (!owner.success) return owner;
    return Result.ok(typeof owner.value === 'string' ? owner.value : undefined);
  }

  async keep(ids: readonly string[]): Promise<Result<readonly string[]>> {
    if (ids.length === 0) return Result.ok([]);
    try {
      const keys = ids.map((id) => sessionKey(this.store, id));
      const gone = await this.store.decide(KEEP, keys, [this.lifeMs]);
      const places = new Set(Array.isArray(gone) ? gone.map(Number) : []);
      return Result.ok(ids.filter((_, place) => places.has(place)));
    } catch (error) {
      return Result.failure(reasonOf(error), 'StoreUnavailable');
    }
  }

  async endIdle(id: string, idleMs: number): Promise<Result<boolean>> {
    const ended = await this.#decide(END, id, [this.#notice('ended', id), idleMs]);
    return ended.success ? Result.ok(ended.value === 1) : ended;
  }

  async end(id: string): Promise<Result<void>> {
    const ended = await this.#decide(END, id, [this.#notice('ended', id), 0]);
    return ended.success ? Result.ok(undefined) : ended;
  }

  onNotice(listener: (notice: DirectoryNotice) => void): void {
    this.#listeners.add(listener);
  }

  async #decide(
    script: RedisScript,
    id: string,
    args: readonly (string | number)[],
  ): Promise<Result<unknown>> {
    try {
      const keys = [sessionKey(this.store, id), this.store.key(CHANNEL)];
      return Result.ok(await this.store.decide(script, keys, args));
    } catch (error) {
      return Result.failure(reasonOf(error), 'StoreUnavailable');
    }
  }

  #notice(kind: 'changed' | 'ended', id: string): string {
    return JSON.stringify([kind, id, this.store.instance]);
  }

  #heard(text: string): void {
    const [kind, id, from]: unknown[] = JSON.parse(text);
    if (from === this.store.instance || typeof id !== 'string') return;
    if (kind === 'changed' || kind === 'ended') this.#tell({ kind, id });
  }

  #tell(notice: DirectoryNotice): void {
    for (const listener of this.#listeners) listener(notice);
  }
}

/** Only our own instances write there. */
function sessionOf(answer: unknown): SharedSession | undefined {
  if (!Array.isArray(answer) || answer.length === 0) return undefined;
  const fields = new Map<string, string>();
  for (let at = 0; at + 1 < answer.length; at += 2) fields.set(String(answer[at]), String(answer[at + 1]));
  const field = (name: keyof SharedSession) => fields.get(name) ?? '';
  return {
    id: field('id'),
    sessionId: field('sessionId'),
    callerKey: field('callerKey'),
    owner: field('owner'),
    handshake: field('handshake'),
    choices: field('choices'),
    processes: field('processes'),
  };
}
