import type { Redis } from 'ioredis';
import type { FlagStore } from '../../application/ports/flag/flag-store.js';
import type { Logger } from '../../application/ports/system/logger.js';
import {
  type FlagName,
  type FlagScope,
  type Flags,
  type FlagValue,
  parseFlagValue,
  sortFlags,
} from '../../domain/flag/flag.js';
import { Result } from '../../domain/result.js';

export interface RedisFlagPlace {
  /** May contain a password: never shown. */
  readonly url: string;
  /** Servers with the same project share its flags. */
  readonly project: string;
}

const GLOBAL_KEY = 'castellan:flags:global';
const CHANNEL = 'castellan:flags:changed';
/** Per scope: flags stay until they are removed. */
const MAX_FLAGS = 1000;
const COMMAND_MS = 2000;
const MAX_RECONNECT_MS = 1000;

/**
 * KEYS: the scope, the channel. ARGV: the flag, and its value as JSON or nothing to remove it. Returns 0 if
 * there are too many.
 */
const SET = `
if ARGV[2] == '' then redis.call('HDEL', KEYS[1], ARGV[1])
elseif redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 and redis.call('HLEN', KEYS[1]) >= ${MAX_FLAGS} then return 0
else redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) end
redis.call('PUBLISH', KEYS[2], KEYS[1])
return 1
`;

/**
 * A hash per scope, and a message on a channel after each change. ioredis is loaded and connects on first
 * use.
 */
export class RedisFlagStore implements FlagStore {
  readonly #keys: Readonly<Record<FlagScope, string>>;
  readonly #listeners = new Set<(scope: FlagScope) => void>();
  #client: Promise<Redis> | undefined;
  #subscriber: Promise<Redis> | undefined;

  constructor(
    private readonly place: RedisFlagPlace,
    private readonly logger: Logger,
  ) {
    this.#keys = { project: `castellan:flags:project:${place.project}`, global: GLOBAL_KEY };
  }

  async all(scope: FlagScope): Promise<Result<Flags>> {
    let fields: Record<string, string>;
    try {
      fields = await (await this.#connected()).hgetall(this.#keys[scope]);
    } catch (error) {
      return unreachable(error, 'Nothing was read');
    }
    const flags: [string, FlagValue][] = [];
    for (const [name, text] of Object.entries(fields)) {
      const value = parseStored(text);
      if (!value.success) {
        return Result.failure(
          `The flag ${name.slice(0, 100)} in Redis is not what Castellan writes: ${value.error} Set it again or remove it.`,
          'FlagStoreCorrupt',
        );
      }
      flags.push([name, value.value]);
    }
    return Result.ok(sortFlags(flags));
  }

  async set(scope: FlagScope, name: FlagName, value: FlagValue | undefined): Promise<Result<void>> {
    const key = this.#keys[scope];
    try {
      const text = value === undefined ? '' : JSON.stringify(value);
      const done = await (await this.#connected()).eval(SET, 2, key, CHANNEL, name, text);
      return done === 1 ? Result.ok(undefined) : FULL;
    } catch (error) {
      return unreachable(error, 'The flag may or may not have been set; read it before you set it again');
    }
  }

  onChange(listener: (scope: FlagScope) => void): () => void {
    this.#listeners.add(listener);
    this.#subscriber ??= this.#subscribe();
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    const open = [this.#client, this.#subscriber];
    this.#client = undefined;
    this.#subscriber = undefined;
    for (const connection of open) (await connection)?.disconnect();
  }

  #connected(): Promise<Redis> {
    this.#client ??= this.#connect();
    return this.#client;
  }

  async #connect(): Promise<Redis> {
    const { Redis } = await import('ioredis');
    const client = new Redis(this.place.url, {
      maxRetriesPerRequest: 1,
      commandTimeout: COMMAND_MS,
      connectTimeout: COMMAND_MS,
      retryStrategy: (attempt) => Math.min(50 * attempt, MAX_RECONNECT_MS),
    });
    client.on('error', (error: Error) => this.logger.debug(`Redis: ${reasonOf(error)}`));
    return client;
  }

  async #subscribe(): Promise<Redis> {
    const subscriber = await this.#connect();
    subscriber.on('message', (_channel: string, key: string) => {
      if (key === this.#keys.project) this.#tell('project');
      else if (key === this.#keys.global) this.#tell('global');
    });
    // Also after every reconnection: changes in between were missed.
    subscriber.on('ready', () => this.#listen(subscriber));
    return subscriber;
  }

  /** Tries again if Redis refuses or is too slow: nothing else would while the connection lasts. */
  #listen(subscriber: Redis): void {
    subscriber.subscribe(CHANNEL).then(
      () => {
        this.#tell('project');
        this.#tell('global');
      },
      (error: unknown) => {
        this.logger.debug(`Redis: ${reasonOf(error)}`);
        const again = () => subscriber.status === 'ready' && this.#listen(subscriber);
        setTimeout(again, MAX_RECONNECT_MS).unref();
      },
    );
  }

  #tell(scope: FlagScope): void {
    for (const listener of this.#listeners) listener(scope);
  }
}

const FULL = Result.failure(
  `There are ${MAX_FLAGS} flags of this scope already. Remove one before you add another.`,
  'FlagStoreFull',
);

function parseStored(text: string): Result<FlagValue> {
  try {
    return parseFlagValue(JSON.parse(text));
  } catch {
    return Result.failure('it is not JSON.', 'FlagStoreCorrupt');
  }
}

function unreachable(error: unknown, state: string) {
  return Result.failure(
    `The flags cannot be reached: Redis does not answer (${reasonOf(error)}). ${state}. ` +
      'The server reconnects when Redis is back.',
    'FlagStoreUnavailable',
  );
}

/** Only the kind of error: messages of the library may contain the address with its password. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown fault';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
