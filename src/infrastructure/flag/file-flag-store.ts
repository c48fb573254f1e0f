import type { FlagStore } from '../../application/ports/flag/flag-store.js';
import type { Logger } from '../../application/ports/system/logger.js';
import type { FlagName, FlagScope, Flags, FlagValue } from '../../domain/flag/flag.js';
import type { Result } from '../../domain/result.js';
import { FileWatch } from '../state/file-watch.js';
import { FlagFile, MAX_FLAG_BYTES } from './flag-file.js';

export interface FlagFiles {
  /** `<workspace>/.castellan/flags.json` */
  readonly project: string;
  /** `<configuration directory>/castellan/flags.json` */
  readonly global: string;
}

const SCOPES: readonly FlagScope[] = ['project', 'global'];

/** Two files, one per scope. They are watched only while there are listeners. */
export class FileFlagStore implements FlagStore {
  readonly #files: Readonly<Record<FlagScope, FlagFile>>;
  readonly #listeners = new Set<(scope: FlagScope) => void>();
  #watches: Readonly<Record<FlagScope, FileWatch>> | undefined;

  constructor(files: FlagFiles, logger: Logger) {
    this.#files = {
      // A workspace may be untrusted; the user's own configuration may be a link.
      project: new FlagFile(files.project, "The project's flags", true, logger),
      global: new FlagFile(files.global, 'The global flags', false, logger),
    };
  }

  all(scope: FlagScope): Promise<Result<Flags>> {
    return this.#files[scope].read();
  }

  async set(scope: FlagScope, name: FlagName, value: FlagValue | undefined): Promise<Result<void>> {
    const written = await this.#files[scope].update(name, value);
    if (written.success) this.#watches?.[scope].look();
    return written;
  }

  onChange(listener: (scope: FlagScope) => void): () => void {
    this.#listeners.add(listener);
    this.#watches ??= { project: this.#watch('project'), global: this.#watch('global') };
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    this.#stop();
  }

  #watch(scope: FlagScope): FileWatch {
    return new FileWatch(this.#files[scope].path, MAX_FLAG_BYTES, () => {
      for (const listener of this.#listeners) listener(scope);
    });
  }

  #stop(): void {
    for (const scope of SCOPES) this.#watches?.[scope].stop();
    this.#watches = undefined;
  }
}
