import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { UNKNOWN_ID } from '../../mounts/system-view.js';
import type { BlobNames } from '../blob-names.js';
import { look } from '../git-files.js';
import type { GuardedStates } from '../guarded-files.js';
import type { ObjectReader } from '../object-reader.js';
import { headOf, type Repository } from '../repository-head.js';
import { settleIndex } from './settled-index.js';

export interface LookalikeParts {
  readonly folder: string;
  readonly reader: ObjectReader;
  readonly names: BlobNames;
}

/** With this, git goes by what a lookalike has in common with the file: size, second and kind. */
export const LOOKALIKE_SETTINGS = [['core.checkStat', 'minimal']] as const;

const MAX_FILES = 200;

/** No file in an index is so old: git takes the one of this time for changed, and says so as of any other. */
const LONG_AGO = 0;

/**
 * Hidden files that are tracked. A device in their place would be a change of their type in git's eyes, and every commit
 * -a, stash and rebase would fail; a file of the same size and time that nobody can open is no change where the file is
 * as git's index has it, and one of another time is a change of its content where it is not.
 */
export class Lookalikes {
  constructor(private readonly parts: LookalikeParts) {}

  /** By hidden path: what lies in its place. undefined: nothing that could be read, which git would take for its content. */
  async of(states: GuardedStates, hide: readonly string[]): Promise<ReadonlyMap<string, string | undefined>> {
    const hidden = new Set(hide);
    const found = new Map<string, string | undefined>();
    for (const { repository, index } of states.values())
      for (const [name, blobs] of index) {
        const path = join(repository.top, name);
        if (!hidden.has(path)) continue;
        found.set(path, undefined);
        const stats = look(path);
        if (!stats?.isFile() || stats.nlink !== 1) continue;
        const isAsTracked = await this.#isAsTracked(path, blobs, repository);
        const shown = isAsTracked ? stats : { size: stats.size, mode: stats.mode, mtimeMs: LONG_AGO };
        found.set(path, this.#make(path, shown));
      }
    return found;
  }

  async #isAsTracked(path: string, blobs: string, repository: Repository): Promise<boolean> {
    const head = headOf(repository);
    if (head === undefined || blobs !== `0 ${await this.parts.names.of(path, head)}`) return false;
    return settleIndex(repository, path, this.parts);
  }

  #make(path: string, { size, mtimeMs, mode }: Pick<Stats, 'size' | 'mtimeMs' | 'mode'>): string | undefined {
    const key = [path, size, mtimeMs, mode & 0o100].join('\0');
    const file = join(this.parts.folder, createHash('sha256').update(key).digest('hex').slice(0, 32));
    if (look(file) !== undefined) return file;
    try {
      mkdirSync(this.parts.folder, { recursive: true, mode: 0o700 });
      if (readdirSync(this.parts.folder).length > MAX_FILES) return undefined;
      const fresh = `${file}.${process.pid}`;
      rmSync(fresh, { force: true });
      writeFileSync(fresh, '', { flag: 'wx' });
      truncateSync(fresh, size);
      // A capability of the sandbox reaches only what belongs to ids that the sandbox knows.
      if (process.getuid?.() === 0) chownSync(fresh, UNKNOWN_ID, UNKNOWN_ID);
      chmodSync(fresh, mode & 0o100);
      utimesSync(fresh, mtimeMs / 1_000, mtimeMs / 1_000);
      renameSync(fresh, file);
      return file;
    } catch {
      // Without it the file is hidden as others are.
      return undefined;
    }
  }
}
