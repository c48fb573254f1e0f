import type { ServerResponse } from 'node:http';
import type { ConsoleViews } from './console-views.js';

/** Servers are asked so often while a page is open, and pages hear no more often than that. */
const LOOK_MS = 500;
/** Browsers give a stream up that is silent for long. */
const SIGN_OF_LIFE_LOOKS = 40;
const MAX_FOLLOWERS = 16;

/** Tells open pages that something has changed: a short message, which the page answers by asking for what it shows. */
export class ConsoleFollowers {
  readonly #followers = new Set<ServerResponse>();
  #timer: NodeJS.Timeout | undefined;
  #last = '';
  #silent = 0;
  #looking = false;

  constructor(private readonly views: Pick<ConsoleViews, 'changes'>) {}

  add(response: ServerResponse): void {
    if (this.#followers.size >= MAX_FOLLOWERS) return void response.end();
    this.#followers.add(response);
    response.write(': here\n\n');
    response.on('close', () => {
      this.#followers.delete(response);
      if (this.#followers.size === 0) this.#rest();
    });
    this.#last = '';
    this.#timer ??= setInterval(() => void this.#look(), LOOK_MS);
  }

  close(): void {
    this.#rest();
    for (const response of this.#followers) response.end();
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      const { version, waiting } = await this.views.changes();
      this.#silent = version === this.#last ? this.#silent + 1 : 0;
      if (version !== this.#last) this.#tell(`data: ${JSON.stringify({ waiting })}\n\n`);
      else if (this.#silent % SIGN_OF_LIFE_LOOKS === 0) this.#tell(': here\n\n');
      this.#last = version;
    } finally {
      this.#looking = false;
    }
  }

  /** A page that does not read is told again with the next change. */
  #tell(message: string): void {
    for (const response of this.#followers) if (!response.writableNeedDrain) response.write(message);
  }
}
