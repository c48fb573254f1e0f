import { isRefName, isRefValue, OBJECT_NAME } from '../rules/ref-names.js';
import type { HeldTree } from './held-tree.js';
import { type FolderStamp, isSettled, stampOf } from './stamps.js';

const MAX_PACKED = 256 * 1024 * 1024;
const MAX_REF = 4_096;

export interface PackedRefs {
  readonly refs: ReadonlyMap<string, string>;
  /** What annotated tags stand for. */
  readonly peeled: ReadonlyMap<string, string>;
}

interface LooseFolder extends FolderStamp {
  readonly refs: ReadonlyMap<string, string>;
  readonly folders: readonly string[];
}

const NONE: PackedRefs = { refs: new Map(), peeled: new Map() };

/**
 * Reads the refs of one side. git replaces a ref by renaming a file, so that a folder whose times are the same has the
 * same refs; what has changed its times just now is read again.
 */
export class RefReader {
  readonly #packed = new Map<string, { readonly stamp: string; readonly refs: PackedRefs }>();
  readonly #folders = new Map<string, LooseFolder>();

  constructor(private readonly tree: HeldTree) {}

  /** `isShared`: the unit has packed refs; a worktree has none of its own. */
  all(unit: string, isShared: boolean): ReadonlyMap<string, string> {
    const refs = new Map(isShared ? this.packed(unit).refs : []);
    this.#loose(unit, 'refs', refs);
    return refs;
  }

  one(unit: string, name: string, isShared: boolean): string | undefined {
    const value = this.tree.read(join(unit, name), MAX_REF)?.toString('utf8').trim();
    if (value !== undefined) return isRefValue(value) ? value : undefined;
    return isShared ? this.packed(unit).refs.get(name) : undefined;
  }

  packed(unit: string): PackedRefs {
    const path = join(unit, 'packed-refs');
    const stat = this.tree.stat(path);
    if (stat === undefined) return NONE;
    const stamp = stampOf(stat);
    const known = this.#packed.get(unit);
    if (known?.stamp === stamp) return known.refs;
    const refs = parsePacked(this.tree.read(path, MAX_PACKED)?.toString('utf8') ?? '');
    if (isSettled(stat)) this.#packed.set(unit, { stamp, refs });
    return refs;
  }

  #loose(unit: string, folder: string, into: Map<string, string>): void {
    const { refs, folders } = this.#read(unit, folder);
    for (const [name, value] of refs) into.set(name, value);
    for (const inner of folders) this.#loose(unit, `${folder}/${inner}`, into);
  }

  #read(unit: string, folder: string): LooseFolder {
    const path = join(unit, folder);
    const stat = this.tree.stat(path);
    const stamp = stat === undefined ? '' : stampOf(stat);
    const known = this.#folders.get(path);
    if (known?.stamp === stamp) return known;
    const refs = new Map<string, string>();
    const folders: string[] = [];
    for (const entry of this.tree.list(path)) {
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(entry.name);
      else if (entry.isFile() && isRefName(name)) {
        const value = this.tree.read(join(unit, name), MAX_REF)?.toString('utf8').trim();
        if (value !== undefined && isRefValue(value)) refs.set(name, value);
      }
    }
    const read = { stamp, refs, folders };
    if (stat !== undefined && isSettled(stat)) this.#folders.set(path, read);
    else this.#folders.delete(path);
    return read;
  }
}

export function join(unit: string, name: string): string {
  return unit === '' ? name : `${unit}/${name}`;
}

const PACKED_TEXT =
  /^(?:(?:#[^\n]*|\^(?:[0-9a-f]{40}|[0-9a-f]{64})|(?:[0-9a-f]{40}|[0-9a-f]{64}) refs\/[^\n ]+)\n)*$/;

/** Whether every line is one that git writes. */
export function isPackedText(text: string): boolean {
  return PACKED_TEXT.test(text);
}

function parsePacked(text: string): PackedRefs {
  const refs = new Map<string, string>();
  const peeled = new Map<string, string>();
  let last: string | undefined;
  for (const line of text.split('\n')) {
    if (line.startsWith('#') || line === '') continue;
    if (line.startsWith('^')) {
      if (last !== undefined) peeled.set(last, line.slice(1));
      continue;
    }
    const space = line.indexOf(' ');
    const [value, name] = [line.slice(0, space), line.slice(space + 1)];
    last = OBJECT_NAME.test(value) && isRefName(name) ? name : undefined;
    if (last !== undefined) refs.set(last, value);
  }
  return { refs, peeled };
}

/** Sorted, as git wants it. */
export function packedText(refs: ReadonlyMap<string, string>, peeled: ReadonlyMap<string, string>): string {
  const lines = [...refs]
    .filter(([, value]) => OBJECT_NAME.test(value))
    .sort(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
    .map(([name, value]) => `${value} ${name}\n${peeled.has(name) ? `^${peeled.get(name)}\n` : ''}`);
  // Without the word `peeled`: git looks by itself at tags for which nothing is told.
  return `# pack-refs with: sorted \n${lines.join('')}`;
}
