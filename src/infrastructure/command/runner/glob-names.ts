import { type Dirent, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { compileSegment, type GlobSegment } from '../../../domain/permission/path/glob-segment.js';

const MAX_NAMES = 20_000;
const MAX_ENTRIES = 100_000;
/** Character classes and the like, which our matcher does not know. */
const ONLY_A_SHELL = /\[[:.=]/;

export interface GlobScope {
  /** May the entries of this real folder be seen? */
  readonly isOpen: (realFolder: string) => boolean;
  /** Is an entry, by its path without links, one that may not be seen? */
  readonly isHidden: (path: string) => boolean;
}

/**
 * What bash would make of a pattern in a folder, limited to what the caller sees; names in the order of the C
 * locale. undefined: too many, or a pattern that only a shell understands.
 */
export function globNames(pattern: string, folder: string, view: GlobScope): readonly string[] | undefined {
  if (ONLY_A_SHELL.test(pattern)) return undefined;
  try {
    return new GlobWalk(folder, view).names(pattern).sort(byCodePoint);
  } catch (error) {
    if (error === TOO_MANY) return undefined;
    throw error;
  }
}

const TOO_MANY = new Error('more names than a command line holds');

class GlobWalk {
  #entries = 0;

  constructor(
    private readonly folder: string,
    private readonly view: GlobScope,
  ) {}

  names(pattern: string): string[] {
    const parts = pattern.split(/\/+/);
    const isAbsolute = parts[0] === '';
    let found = [isAbsolute ? '/' : ''];
    for (const [index, part] of parts.slice(isAbsolute ? 1 : 0).entries()) {
      const isLast = index === parts.length - (isAbsolute ? 2 : 1);
      found = part === '' ? found : found.flatMap((before) => this.#step(before, part, isLast));
    }
    return found;
  }

  #step(before: string, part: string, isLast: boolean): string[] {
    const glob = compileSegment(part);
    const names = this.#list(before)
      .filter((entry) => matches(glob, part, entry.name))
      .filter((entry) => isLast || entry.isDirectory() || entry.isSymbolicLink())
      .map((entry) => `${before}${entry.name}${isLast ? '' : '/'}`);
    if (names.length > MAX_NAMES) throw TOO_MANY;
    return names;
  }

  #list(before: string): readonly Pick<Dirent, 'name' | 'isDirectory' | 'isSymbolicLink'>[] {
    const path = before.startsWith('/') ? before : join(this.folder, before);
    let entries: Dirent[];
    let real: string;
    try {
      real = realpathSync(path);
      if (!this.view.isOpen(real)) return [];
      entries = readdirSync(real, { withFileTypes: true });
    } catch {
      // No folder, or not ours to read: nothing matches in it.
      return [];
    }
    this.#entries += entries.length;
    if (this.#entries > MAX_ENTRIES) throw TOO_MANY;
    return [...DOTS, ...entries.filter((entry) => !this.view.isHidden(join(real, entry.name)))];
  }
}

// Only a pattern that writes them out reaches these two.
const DOTS = ['.', '..'].map((name) => ({ name, isDirectory: () => true, isSymbolicLink: () => false }));

/** A leading dot is matched by a dot alone. */
function matches(glob: GlobSegment, part: string, name: string): boolean {
  if (name === '.' || name === '..') return glob.literal === name;
  if (name.startsWith('.') && !/^\\?\./.test(part)) return false;
  return glob.matches(name);
}

function byCodePoint(first: string, second: string): number {
  return Buffer.compare(Buffer.from(first), Buffer.from(second));
}
