import { unwatchFile, watchFile } from 'node:fs';
import type { Logger } from '../../application/ports/system/logger.js';
import type { Settings } from '../../infrastructure/config/settings.js';

const LOOK_EVERY_MS = 1_000;

/** What is asked anew for every call or line, so that a change needs no restart. The rest was built into the server. */
const LIVE: ReadonlySet<keyof Settings> = new Set(['errorStyle', 'files', 'log']);

/** The settings in force. A changed file is taken over as far as that is safe, and the rest is named. */
export class LiveSettings {
  #file: string | undefined;

  constructor(private settings: Settings) {}

  get current(): Settings {
    return this.settings;
  }

  /** Follows the file until close(). `read` gives the settings as a start would, or throws with the problems. */
  watch(file: string, read: () => Promise<Settings>, logger: Logger): void {
    this.#file = file;
    watchFile(
      file,
      { persistent: false, interval: LOOK_EVERY_MS },
      () => void this.reload(file, read, logger),
    );
  }

  async reload(file: string, read: () => Promise<Settings>, logger: Logger): Promise<void> {
    try {
      this.#take(await read(), file, logger);
    } catch (error) {
      const problems = error instanceof Error ? error.message : String(error);
      logger.error('The settings on disk are invalid; the last valid ones stay active', { file, problems });
    }
  }

  close(): void {
    if (this.#file !== undefined) unwatchFile(this.#file);
  }

  #take(next: Settings, file: string, logger: Logger): void {
    const changed = keysOf(next).filter((key) => !isSame(next[key], this.settings[key]));
    const taken = changed.filter((key) => LIVE.has(key));
    const waiting = changed.filter((key) => !LIVE.has(key));
    const { errorStyle, files, log } = next;
    this.settings = { ...this.settings, errorStyle, files, log };
    if (taken.length > 0) logger.info('Settings were reloaded', { file, keys: taken });
    if (waiting.length > 0) {
      logger.warn('Some settings changed that take effect at the next start: restart the server', {
        file,
        keys: waiting,
      });
    }
  }
}

function keysOf(settings: Settings): readonly (keyof Settings)[] {
  return Object.keys(settings).filter((key): key is keyof Settings => key in settings);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
