import type { Redis } from 'ioredis';
import { AnswerWatch } from './answer-watch.js';
import { reasonOf, StoreRefused, StoreUnavailable } from './redis-fault.js';
import type { RedisScript } from './redis-script.js';

/** Longer than any honest answer takes, and short enough for a caller that waits. */
const COMMAND_MS = 2000;
/** For what the library asks by itself while it connects. */
const HANDSHAKE_MS = 4000;
const MAX_RECONNECT_MS = 500;
const HANDSHAKE: ReadonlySet<string> = new Set(['hello', 'auth', 'info']);
const PROTECTED_MODE =
  'Redis is in protected mode: without a password it takes connections from its own machine alone. Set a password there (requirepass, or a user of the ACL) and put it into redis.url.';

export interface ConnectionEvents {
  /** Both connections stand and every channel is subscribed to. */
  ready(): void;
  lost(): void;
  message(channel: string, text: string): void;
  fault(error: unknown): void;
}

/**
 * The two connections of an instance, one for commands and one for messages. ioredis is loaded here and nowhere else.
 * Nothing waits for a connection: what cannot be asked now fails at once.
 */
export class RedisConnections {
  readonly #channels = new Set<string>();
  // A connection on which an answer is overdue is of no use: later ones would wait behind it.
  readonly #answers = new AnswerWatch(COMMAND_MS, () => this.commands.disconnect(true));
  readonly #signs = new AnswerWatch(COMMAND_MS, () => this.messages.disconnect(true));
  #isReady = false;
  #closed = false;

  private constructor(
    private readonly commands: Redis,
    private readonly messages: Redis,
    private readonly events: ConnectionEvents,
  ) {
    for (const connection of [commands, messages]) {
      connection.on('error', (error: Error) => events.fault(error));
      connection.on('close', () => this.#lost());
      connection.on('ready', () => void this.#settle());
    }
    messages.on('message', (channel: string, text: string) => events.message(channel, text));
  }

  static async open(
    url: string,
    channels: readonly string[],
    events: ConnectionEvents,
  ): Promise<RedisConnections> {
    const Client = await clientClass((refusal) => events.fault(refusal));
    const options = {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: HANDSHAKE_MS,
      connectTimeout: COMMAND_MS,
      keepAlive: 5000,
      retryStrategy: (attempt: number) => Math.min(25 * attempt, MAX_RECONNECT_MS),
    };
    const commands = new Client(url, { ...options, enableAutoPipelining: true });
    const connections = new RedisConnections(commands, new Client(url, options), events);
    for (const channel of channels) connections.#channels.add(channel);
    // A first attempt that fails is repeated by the library and told by its events.
    await Promise.allSettled([connections.commands.connect(), connections.messages.connect()]);
    return connections;
  }

  async run(script: RedisScript, keys: readonly string[], args: readonly (string | number)[]) {
    const call = [keys.length, ...keys, ...args] as const;
    try {
      return await this.#answers.within(this.commands.evalsha(script.sha, ...call));
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return this.#answers.within(this.commands.eval(script.lua, ...call));
    }
  }

  /** One command of Redis as it is. */
  async call(command: string, ...args: readonly (string | number)[]): Promise<unknown> {
    return this.#answers.within(this.commands.call(command, ...args));
  }

  /** Nothing is asked where messages come in: an instance that has gone deaf would not notice. */
  checkMessages(): void {
    if (this.messages.status !== 'ready') return;
    this.#signs.within(this.messages.ping()).catch((error: unknown) => this.events.fault(error));
  }

  close(): void {
    this.#closed = true;
    this.commands.disconnect();
    this.messages.disconnect();
  }

  async #settle(): Promise<void> {
    if (this.commands.status !== 'ready' || this.messages.status !== 'ready') return;
    try {
      if (this.#channels.size > 0) await this.messages.subscribe(...this.#channels);
      this.#isReady = true;
      this.events.ready();
    } catch (error) {
      this.events.fault(error);
      this.messages.disconnect(true);
    }
  }

  #lost(): void {
    if (!this.#isReady || this.#closed) return;
    this.#isReady = false;
    this.events.lost();
  }
}

/**
 * ioredis takes the refusal of protected mode for a password too many: it warns on the console at every attempt and goes
 * on. Redis closes the connection at once, so the refusal is told here and not left to the events of the library.
 */
async function clientClass(refused: (refusal: StoreRefused) => void): Promise<typeof Redis> {
  const ioredis = await import('ioredis');
  return class extends ioredis.Redis {
    override sendCommand(...given: Parameters<Redis['sendCommand']>): unknown {
      const answer = super.sendCommand(...given);
      if (!HANDSHAKE.has(given[0].name)) return answer;
      return Promise.resolve(answer).catch((error: unknown) => {
        if (!(error instanceof Error && error.message.startsWith('DENIED'))) throw error;
        const refusal = new StoreRefused(PROTECTED_MODE);
        refused(refusal);
        throw refusal;
      });
    }
  };
}

/** Says what kind of Redis it is where that is none we can work with. */
export async function checkKind(connections: RedisConnections): Promise<void> {
  let info: unknown;
  try {
    info = await connections.call('INFO');
  } catch (error) {
    // A user of an ACL need not be allowed to ask.
    if (error instanceof Error && error.message.startsWith('NOPERM')) return;
    throw new StoreUnavailable(reasonOf(error));
  }
  const facts = String(info);
  const found = /redis_mode:cluster/.test(facts)
    ? 'a Redis Cluster'
    : /redis_mode:sentinel/.test(facts)
      ? 'a Redis Sentinel'
      : /\brole:slave/.test(facts)
        ? 'a replica'
        : undefined;
  if (found === undefined) return;
  throw new StoreRefused(
    `redis.url leads to ${found}, which Castellan cannot use. Give the address of a single Redis server, or of one that fails over behind a fixed address.`,
  );
}
