import { type StatsListener, unwatchFile, watchFile } from 'node:fs';
import { readForeignFile } from './foreign-file.js';

const POLL_MS = 200;
/** Longer than a tick of any file system's clock. */
const SETTLE_MS = 30;

/**
 * Calls back when the content of a file changes. It polls, which also works for a file whose folder does not exist yet,
 * one that is replaced, the target of a link, and network drives. A look costs one stat; the process can end meanwhile.
 */
export class FileWatch {
  #text: string | undefined;
  #known: Promise<void>;
  #settle: NodeJS.Timeout | undefined;
  #stopped = false;
  readonly #listener: StatsListener;

  constructor(
    private readonly path: string,
    private readonly maxBytes: number,
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

  /** What is there now is known: any later change is noticed. */
  get ready(): Promise<void> {
    return this.#known;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#settle);
    unwatchFile(this.path, this.#listener);
  }

  #compare(): Promise<void> {
    this.#known = this.#known.then(async () => {
      const text = await this.#read();
      if (text === this.#text || this.#stopped) return;
      this.#text = text;
      this.changed();
    });
    return this.#known;
  }

  /** undefined: no file. One that cannot be read is told apart, so that its listeners look and see why. */
  async #read(): Promise<string | undefined> {
    const file = await readForeignFile(this.path, { maxBytes: this.maxBytes, links: 'anywhere' });
    if (file.kind === 'bytes') return file.bytes.toString('utf8');
    return file.kind === 'missing' ? undefined : `unreadable: ${file.why}`;
  }
}
