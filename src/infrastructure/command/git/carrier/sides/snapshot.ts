import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { isData, isOfWorktree, STATE_FOLDERS } from '../rules/state-rules.js';
import type { HeldTree } from './held-tree.js';
import { join, RefReader } from './refs.js';
import { isSettled, stampOf } from './stamps.js';
import { isWhole, type Unit } from './units.js';

/**
 * What one side of a unit is: `HEAD`, `index`, `config`, refs and files of data by their names. Refs and HEAD have their text
 * as value, files a word that is another one when the content is.
 */
export type Items = Map<string, string>;

export const MAX_FILE = 256 * 1024 * 1024;
export const MAX_INDEX = 1024 * 1024 * 1024;
const MAX_HEAD = 4_096;
const CONFIGS = ['config', 'config.worktree'];
const CHECKSUM = 20;

interface KnownFile {
  readonly stamp: string;
  readonly value: string;
}

interface LogFolder {
  readonly stamp: string;
  readonly items: Items;
  readonly folders: readonly string[];
}

/** One side of the airlock, and what is remembered of it so that little is read twice. */
export class Side {
  readonly refs: RefReader;
  readonly #files = new Map<string, KnownFile>();
  readonly #logs = new Map<string, LogFolder>();

  constructor(readonly tree: HeldTree) {
    this.refs = new RefReader(tree);
  }

  items(unit: Unit): Items {
    const items: Items = new Map(this.refs.all(unit.path, isWhole(unit)));
    this.#set(items, unit, 'HEAD');
    this.#set(items, unit, 'index');
    for (const name of configsOf(unit)) this.#set(items, unit, name);
    for (const entry of this.tree.list(unit.path))
      if (entry.isFile() && isData(entry.name) && (!isOfWorktree(entry.name) || !isWhole(unit)))
        this.#set(items, unit, entry.name);
    for (const folder of STATE_FOLDERS)
      for (const path of this.tree.files(join(unit.path, folder))) {
        const name = path.slice(unit.path === '' ? 0 : unit.path.length + 1);
        if (isData(name)) this.#set(items, unit, name);
      }
    this.#set(items, unit, 'logs/HEAD');
    this.#addLogs(items, unit, 'refs');
    return items;
  }

  /** As it is at this moment. */
  item(unit: Unit, name: string): string | undefined {
    if (name.startsWith('refs/')) return this.refs.one(unit.path, name, isWhole(unit));
    const path = join(unit.path, name);
    if (name === 'HEAD') return this.tree.read(path, MAX_HEAD)?.toString('utf8').trim();
    const stat = this.tree.stat(path);
    if (stat?.isFile() !== true) return undefined;
    const stamp = stampOf(stat);
    const known = this.#files.get(path);
    if (known?.stamp === stamp) return known.value;
    const value = name === 'index' ? this.#indexValue(path, stat) : this.#fileValue(path, name);
    if (value !== undefined && isSettled(stat)) this.#files.set(path, { stamp, value });
    return value;
  }

  #set(items: Items, unit: Unit, name: string): void {
    const value = this.item(unit, name);
    if (value !== undefined) items.set(name, value);
  }

  #fileValue(path: string, name: string): string | undefined {
    const bytes = this.tree.read(path, MAX_FILE);
    return bytes && wordFor(name, bytes);
  }

  /** git ends an index with a checksum. Its time counts too: git reads files again that are as young as their index. */
  #indexValue(path: string, stat: BigIntStats): string | undefined {
    const end = this.tree.readEnd(path, CHECKSUM);
    // Where git was told to leave the checksum out, the content itself is looked at.
    const sum = end?.every((byte) => byte === 0) ? this.#fileValue(path, 'index') : end?.toString('hex');
    return sum && `${sum}.${stat.size}.${stat.mtimeMs}`;
  }

  /** A log grows without a trace in its folder, but whenever it does, its ref's folder has changed. */
  #addLogs(items: Items, unit: Unit, folder: string): void {
    const path = join(unit.path, `logs/${folder}`);
    const [stat, refs] = [this.tree.stat(path), this.tree.stat(join(unit.path, folder))];
    if (stat?.isDirectory() !== true) return;
    const stamp = `${stampOf(stat)} ${refs === undefined ? '' : stampOf(refs)}`;
    const known = this.#logs.get(path);
    const read = known?.stamp === stamp ? known : this.#readLogs(unit, folder, stamp);
    if (isSettled(stat) && (refs === undefined || isSettled(refs))) this.#logs.set(path, read);
    else this.#logs.delete(path);
    for (const [name, value] of read.items) items.set(name, value);
    for (const inner of read.folders) this.#addLogs(items, unit, `${folder}/${inner}`);
  }

  #readLogs(unit: Unit, folder: string, stamp: string): LogFolder {
    const items: Items = new Map();
    const folders: string[] = [];
    for (const entry of this.tree.list(join(unit.path, `logs/${folder}`))) {
      const name = `logs/${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(entry.name);
      else if (entry.isFile() && isData(name)) this.#set(items, unit, name);
    }
    return { stamp, items, folders };
  }
}

/** A worktree's folder has no `config`, but may have settings of its own. */
export function configsOf(unit: Unit): readonly string[] {
  return isWhole(unit) ? CONFIGS : ['config.worktree'];
}

/** The word for a file's content. Of a log the length is told as well, since it grows. */
export function wordFor(name: string, bytes: Uint8Array): string {
  const hash = createHash('sha1').update(bytes).digest('hex');
  return name.startsWith('logs/') ? `${hash}.${bytes.length}` : hash;
}
