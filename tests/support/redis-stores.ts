import { RedisStore } from '../../src/infrastructure/redis/redis-store.js';
import { RecordingLogger } from '../../src/testing/recording-logger.js';
import { RedisServer } from './redis-server.js';

let services = 0;

/** One redis-server for a test file, and stores of any number of instances on it. */
export class RedisStores {
  #server: RedisServer | undefined;
  readonly #open: RedisStore[] = [];
  #instances = 0;
  service = '';

  async start(): Promise<void> {
    this.#server ??= await RedisServer.start();
    services += 1;
    this.service = `s${services}`;
  }

  get server(): RedisServer {
    if (this.#server === undefined) throw new Error('start() comes first');
    return this.#server;
  }

  /** As another instance of the same service has it. */
  instance(changes: { secret?: string; version?: string; url?: string } = {}): RedisStore {
    this.#instances += 1;
    const place = {
      url: this.server.url,
      service: this.service,
      secret: 'a secret of the tests that nobody else has',
      instance: `i${this.#instances}`,
      version: '1.0.0',
      ...changes,
    };
    const store = new RedisStore(place, new RecordingLogger());
    this.#open.push(store);
    return store;
  }

  async closeStores(): Promise<void> {
    for (const store of this.#open.splice(0)) await store.close();
  }

  async stop(): Promise<void> {
    await this.closeStores();
    await this.#server?.stop();
  }
}
