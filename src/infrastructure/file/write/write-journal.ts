import { randomBytes } from 'node:crypto';
import { mkdirSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../../state/errno.js';
import { readForeignFileSync } from '../../state/foreign-file.js';
import { namesLeftIn } from '../../state/names-left.js';
import { isAlive, ownIdentity } from '../../state/process-identity.js';
import { inState } from '../file-fault.js';

/** What a dead process may have left: its temporary files in a directory, or the torn end of a file. */
export type Unfinished =
  | { readonly kind: 'folder'; readonly path: string; readonly owner: string }
  | {
      readonly kind: 'append';
      readonly path: string;
      readonly inode: number;
      readonly size: number;
      readonly length: number;
    };

type JournalLine =
  | { readonly folder: string }
  | { readonly begin: number; readonly append: Extract<Unfinished, { kind: 'append' }> }
  | { readonly end: number };

/** Two lines per append: the journal of a process that made millions of them. */
const MAX_JOURNAL_BYTES = 256 * 1024 * 1024;
const TEMPORARY = /^\.castellan-(\d+-\d+)-[0-9a-f]{16,}\.tmp$/;

/** The process that created a temporary file; undefined for any other name. */
export function ownerOfTemporary(name: string): string | undefined {
  return TEMPORARY.exec(name)?.[1];
}

/**
 * One file per process, in the state directory. A directory is noted before the first temporary file is
 * created in it, an append before and after; so most writes need no line. It needs no fsync, because it
 * covers processes that die, not machines: what was written survives kill -9.
 */
export class WriteJournal {
  #identity: string | undefined;
  readonly #folders = new Set<string>();
  #descriptor: number | undefined;
  #next = 1;

  constructor(private readonly folder: string) {}

  /** A new, unguessable name in a directory, which recovery recognises as ours. */
  temporaryIn(folder: string): string {
    if (!this.#folders.has(folder)) {
      inState(() => this.#append({ folder }));
      this.#folders.add(folder);
    }
    return `.castellan-${this.#owner()}-${randomBytes(16).toString('hex')}.tmp`;
  }

  async appending<T>(work: Omit<Extract<Unfinished, { kind: 'append' }>, 'kind'>, run: () => Promise<T>) {
    const id = this.#next;
    this.#next += 1;
    inState(() => this.#append({ begin: id, append: { kind: 'append', ...work } }));
    try {
      return await run();
    } finally {
      this.#noteEnd(id);
    }
  }

  /** Passes on what dead processes left, then removes their journals; returns the number of cleaned items. */
  async recover(clean: (work: Unfinished) => Promise<number>): Promise<number> {
    let cleaned = 0;
    for (const name of this.#journals()) {
      const owner = /^writes-(\d+-\d+)\./.exec(name)?.[1];
      if (owner === undefined || isAlive(owner)) continue;
      const path = join(this.folder, name);
      const file = readForeignFileSync(path, { maxBytes: MAX_JOURNAL_BYTES, links: 'nowhere' });
      // Something too large or not a file is not one of our journals; it is left alone.
      if (file.kind === 'refused') continue;
      const text = file.kind === 'bytes' ? file.bytes.toString('utf8') : '';
      for (const work of unfinishedIn(text, owner)) cleaned += await clean(work);
      unlessGone(() => unlinkSync(path));
    }
    return cleaned;
  }

  #owner(): string {
    this.#identity ??= ownIdentity();
    return this.#identity;
  }

  #journals(): readonly string[] {
    return namesLeftIn(this.folder);
  }

  #append(line: JournalLine): void {
    this.#descriptor ??= this.#create();
    writeSync(this.#descriptor, `${JSON.stringify(line)}\n`);
  }

  #noteEnd(id: number): void {
    try {
      this.#append({ end: id });
    } catch (error) {
      // The append itself is complete, and recovery leaves complete data alone.
      if (errnoOf(error) === undefined) throw error;
    }
  }

  #create(): number {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const name = `writes-${this.#owner()}.${randomBytes(4).toString('hex')}.jsonl`;
    return openSync(join(this.folder, name), 'ax', 0o600);
  }
}

/** Two servers that start together clean up after the same dead one; the second finds nothing. */
function unlessGone<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function unfinishedIn(text: string, owner: string): readonly Unfinished[] {
  const folders: Unfinished[] = [];
  const appends = new Map<number, Unfinished>();
  // The last line may be torn; it was written before anything started, so nothing is lost with it.
  for (const line of text.split('\n').slice(0, -1)) {
    const entry = parseLine(line);
    if (entry === undefined) continue;
    if ('folder' in entry) folders.push({ kind: 'folder', path: entry.folder, owner });
    else if ('end' in entry) appends.delete(entry.end);
    else appends.set(entry.begin, entry.append);
  }
  return [...folders, ...appends.values()];
}

function parseLine(line: string): JournalLine | undefined {
  try {
    const entry: JournalLine = JSON.parse(line);
    return entry;
  } catch {
    // A line cut short by a full disk has no meaning.
    return undefined;
  }
}
