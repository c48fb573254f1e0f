import { mkdirSync, statSync } from 'node:fs';
import { BoundedMap } from '../../../domain/bounded-map.js';
import { inState } from '../file-fault.js';
import type { Held } from '../locate/path-locator.js';

const MAX_REMEMBERED = 1000;

/**
 * A directory of the server's own in which files are written before they get their names. No command sees it,
 * so none can replace or change the file. A rename needs the target on the same mount; otherwise files are
 * written next to the target.
 */
export class Staging {
  #device: number | undefined;
  /** Directories that a rename from here cannot reach although they are on the same device. */
  readonly #unreachable = new BoundedMap<string, true>(MAX_REMEMBERED);

  constructor(private readonly folder: string) {}

  /** Where a file for this directory is written; undefined: in that directory itself. */
  folderFor(target: Held): string | undefined {
    this.#device ??= inState(() => this.#make());
    if (target.stats.dev !== this.#device || this.#unreachable.get(target.real) === true) return undefined;
    return this.folder;
  }

  cannotReach(target: Held): void {
    this.#unreachable.set(target.real, true);
  }

  #make(): number {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    return statSync(this.folder).dev;
  }
}
