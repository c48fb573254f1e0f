import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isWithin } from '../program/toolchains.js';
import { isFolder, readRegularFile } from './git-files.js';
import { commonFolder, firstLine, pointerTarget } from './git-pointers.js';
import type { ObjectStore } from './object-reader.js';

export type { SeenRepositories } from '../workspace/tracked-files.js';

/** A repository with files in the view: its own folder has HEAD and the index, the common one objects and refs. */
export interface Repository {
  /** Where its files lie. */
  readonly top: string;
  readonly own: string;
  readonly common: string;
}

export interface RepositoryHead extends ObjectStore {
  readonly commit: string;
}

const MAX_PACKED_REFS = 16 * 1024 * 1024;
const MAX_HOPS = 5;
const NAME = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const REFERENCE = /^ref: (refs\/\S+)$/;

/** The repository whose files lie around a `.git`; undefined where a command with these folders would not reach it. */
export function repositoryAt(entry: string, folders: readonly string[]): Repository | undefined {
  const own = isFolder(entry) ? entry : pointerTarget(entry);
  if (own === undefined) return undefined;
  const common = commonFolder(own) ?? own;
  const isSeen = (folder: string): boolean => {
    const real = realFolder(folder);
    return real !== undefined && folders.some((root) => isWithin(real, root));
  };
  return isSeen(own) && isSeen(join(common, 'objects')) ? { top: dirname(entry), own, common } : undefined;
}

/** The innermost repository around a path. */
export function entryFor(path: string, entries: readonly string[]): string | undefined {
  const around = entries.filter(
    (entry) => entry.endsWith('/.git') && isWithin(path, entry.slice(0, -'/.git'.length)),
  );
  return around.reduce<string | undefined>(
    (best, entry) => (best === undefined || entry.length > best.length ? entry : best),
    undefined,
  );
}

/** What HEAD stands for; undefined before the first commit, and where refs are kept in a way that is not known here. */
export function headOf({ own, common }: Repository): RepositoryHead | undefined {
  let value = firstLine(join(own, 'HEAD'));
  for (let hop = 0; hop < MAX_HOPS && value !== undefined; hop += 1) {
    if (NAME.test(value)) {
      const format = value.length === 40 ? 'sha1' : 'sha256';
      return { commit: value, objects: join(common, 'objects'), format };
    }
    const name = REFERENCE.exec(value)?.[1];
    if (name === undefined || name.split('/').includes('..')) return undefined;
    value = firstLine(join(common, name)) ?? packedValue(common, name);
  }
  return undefined;
}

export function packedValue(common: string, name: string): string | undefined {
  const text = readRegularFile(join(common, 'packed-refs'), MAX_PACKED_REFS) ?? '';
  const end = ` ${name}`;
  return text
    .split('\n')
    .find((line) => line.endsWith(end) && NAME.test(line.slice(0, -end.length)))
    ?.slice(0, -end.length);
}

function realFolder(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // Missing or closed: git would not read it either.
    return undefined;
  }
}
