import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { DeniedObjects, ObjectNumbers } from '../../../application/ports/file/denied-objects.js';
import { objectKey } from '../../file/object-key.js';
import { replaceFileSync } from '../../state/atomic-file.js';
import { readForeignFileSync } from '../../state/foreign-file.js';
import { tryLookAt } from './read-entries.js';

interface Place {
  readonly path: string;
  readonly isFile: boolean;
  /** Hidden by a name that is secret anywhere: no rule binds the object to the place. */
  readonly byName?: true;
}

const MAX_PLACES = 10_000;
const MAX_BYTES = 16 * 1024 * 1024;
const SAVE_AFTER_MS = 200;

/**
 * Where files and folders lay when a rule that names a place denied them. Whoever moves one elsewhere does not move
 * it out of the rule. Kept on disk, so that a restart forgets nothing.
 */
export class DeniedObjectStore implements DeniedObjects {
  #file: string | undefined;
  #places: Map<string, Place> | undefined;
  #saving: NodeJS.Timeout | undefined;

  constructor(
    private readonly stateFolder: string,
    private readonly workspace: string,
    private readonly onProblem: (why: string) => void,
  ) {}

  get isEmpty(): boolean {
    return ![...this.#all().values()].some(({ byName }) => !byName);
  }

  find(object: ObjectNumbers): string | undefined {
    return this.placeOf(objectKey(object));
  }

  placeOf(key: string): string | undefined {
    const place = this.#all().get(key);
    return place?.byName ? undefined : place?.path;
  }

  remember(key: string, path: string, isFile: boolean): void {
    const known = this.#all().get(key);
    if (known === undefined || known.byName) this.#keep(key, { path, isFile });
  }

  /** Secret by its name, wherever it lies; in a package such names are harmless, so it must not become one there. */
  rememberSecret(key: string, path: string): void {
    if (!this.#all().has(key)) this.#keep(key, { path, isFile: false, byName: true });
  }

  /** True as well if no more secrets could be remembered. */
  wasSecret(key: string): boolean {
    return this.#all().has(key) || this.#all().size >= MAX_PLACES;
  }

  #keep(key: string, place: Place): void {
    const places = this.#all();
    if (places.size >= MAX_PLACES) return;
    places.set(key, place);
    // Written soon and not at once: a first look may find thousands.
    this.#saving ??= setTimeout(() => this.save(), SAVE_AFTER_MS).unref();
  }

  /** How many are remembered. */
  get count(): number {
    return this.#all().size;
  }

  /**
   * Files that are not where they were denied, so that every file may be one of them. `isHidden` judges the place, and
   * `isInPlace` knows of some without a look.
   */
  missing(isHidden: (path: string) => boolean, isInPlace: (path: string) => boolean): readonly string[] {
    const keys: string[] = [];
    for (const [key, { path, isFile }] of this.#all()) {
      if (!isFile || isInPlace(path) || !isHidden(path)) continue;
      const stats = tryLookAt(path);
      if (stats === undefined || objectKey(stats) !== key) keys.push(key);
    }
    return keys;
  }

  save(): void {
    if (this.#saving === undefined) return;
    clearTimeout(this.#saving);
    this.#saving = undefined;
    // Another server on the same workspace may have written meanwhile.
    for (const [key, place] of this.#load()) if (!this.#all().has(key)) this.#all().set(key, place);
    const rows = [...this.#all()]
      .slice(0, MAX_PLACES)
      .map(([key, { path, isFile, byName = false }]) => [key, path, isFile, byName]);
    try {
      replaceFileSync(this.#path(), JSON.stringify(rows));
    } catch {
      this.onProblem(
        'The places that the policy denies could not be saved; after a restart they are found anew.',
      );
    }
  }

  /** Not before it is needed: hashing loads Node's crypto, which every start would pay for. */
  #path(): string {
    if (this.#file === undefined) {
      const name = createHash('sha256').update(this.workspace).digest('hex').slice(0, 32);
      this.#file = join(this.stateFolder, 'places', `${name}.json`);
    }
    return this.#file;
  }

  #all(): Map<string, Place> {
    this.#places ??= new Map(this.#load());
    return this.#places;
  }

  #load(): readonly (readonly [string, Place])[] {
    const file = readForeignFileSync(this.#path(), { maxBytes: MAX_BYTES, links: 'nowhere' });
    if (file.kind !== 'bytes') return [];
    let rows: unknown;
    try {
      rows = JSON.parse(file.bytes.toString());
    } catch {
      // It was torn: the places themselves are still denied.
      return [];
    }
    return Array.isArray(rows) ? rows.slice(0, MAX_PLACES).flatMap(rowOf) : [];
  }
}

function rowOf(row: unknown): readonly (readonly [string, Place])[] {
  if (!Array.isArray(row)) return [];
  const [key, path, isFile, byName]: readonly unknown[] = row;
  if (typeof key !== 'string' || typeof path !== 'string' || typeof isFile !== 'boolean') return [];
  return [[key, { path, isFile, ...(byName === true && { byName }) }]];
}
