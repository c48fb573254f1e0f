import { type StatsListener, unwatchFile, watchFile } from 'node:fs';
import { readForeignFile } from '../state/foreign-file.js';
import { MAX_FLAG_BYTES } from './flag-file.js';

const POLL_MS = 200;
/** Longer than a tick of any file system's clock. */
const SETTLE_MS = 30;

/**
 * Calls back when the content of a file changes. By polling: it works for a file whose folder is not there yet,
 * for one that is replaced, and on network drives. A look costs a microsecond's system call.
 */
export class FlagFileWatch {
  #text: string | undefined;
  #known: Promise<void>;
  #settle: NodeJS.Timeout | undefined;
  readonly #listener: StatsListener;

  constructor(
    private readonly path: string,
    private readonly changed: () => void,
  ) {
    this.#listener = () => this.look();
    watchFile(path, { persistent: false, interval: POLL_MS }, this.#listener);
    this.#known = this.#read().then((text) => {
      this.#text = text;
    });
  }

  /** Also called after a write of our own, which need not wait for the next poll. */
  look(): void {
    void this.#compare();
    // A second write within the same tick of the clock looks like none; so look once more when the tick is over.
    clearTimeout(this.#settle);
    this.#settle = setTimeout(() => void this.#compare(), SETTLE_MS).unref();
  }

  stop(): void {
    clearTimeout(this.#settle);
    unwatchFile(this.path, this.#listener);
  }

  #compare(): Promise<void> {
    this.#known = this.#known.then(async () => {
      const text = await this.#read();
      if (text === this.#text) return;
      this.#text = text;
      this.changed();
    });
    return this.#known;
  }

  /** undefined: no file. One that cannot be read is told apart, so that its listeners look and see why. */
  async #read(): Promise<string | undefined> {
    const file = await readForeignFile(this.path, { maxBytes: MAX_FLAG_BYTES, links: 'anywhere' });
    if (file.kind === 'bytes') return file.bytes.toString('utf8');
    return file.kind === 'missing' ? undefined : `unreadable: ${file.why}`;
  }
}
