import { join, relative } from 'node:path';
import { BoundedMap } from '../../../domain/bounded-map.js';
import { stampOf } from './blob-names.js';
import { look } from './git-files.js';
import type { ObjectReader } from './object-reader.js';
import { headOf, type Repository } from './repository-head.js';

/** What git's index says of one path. */
export interface IndexEntry {
  /** Stages and names of blobs: `0 NAME` where there is no conflict. */
  readonly blobs: string;
}

const LINE = /^\d+ ([0-9a-f]+) (\d)\t(.*)$/s;
const MAX_KEPT = 200;

/** Reads git's index by way of git, once for each state of it. */
export class IndexEntries {
  /** Listings of indexes as they were. */
  readonly #listed = new BoundedMap<string, ReadonlyMap<string, IndexEntry>>(MAX_KEPT);

  constructor(private readonly reader: ObjectReader) {}

  /** Entries at and below absolute paths, by their paths in the repository. */
  async of(repository: Repository, paths: readonly string[]): Promise<ReadonlyMap<string, IndexEntry>> {
    const file = join(repository.own, 'index');
    const stats = look(file);
    const head = headOf(repository);
    if (!stats?.isFile() || head === undefined || paths.length === 0) return new Map();
    const key = [file, stampOf(stats), ...paths].join('\0');
    const known = this.#listed.get(key);
    if (known !== undefined) return known;
    const names = paths.map((path) => relative(repository.top, path));
    const text = await this.reader.ask(head, ['ls-files', '-s', '-z', '--', ...names], { index: file });
    const entries = entriesIn(text ?? '');
    this.#listed.set(key, entries);
    return entries;
  }
}

function entriesIn(text: string): ReadonlyMap<string, IndexEntry> {
  const entries = new Map<string, IndexEntry>();
  for (const line of text.split('\0')) {
    const [, blob, stage, name] = LINE.exec(line) ?? [];
    if (name === undefined) continue;
    const before = entries.get(name);
    entries.set(name, { blobs: `${before === undefined ? '' : `${before.blobs} `}${stage} ${blob}` });
  }
  return entries;
}
