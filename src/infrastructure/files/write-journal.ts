import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from './file-fault.js';
import { isAlive, ownIdentity } from './process-identity.js';

/** What a process was in the middle of. */
export type Unfinished =
  | { readonly kind: 'temporary'; readonly path: string }
  | {
      readonly kind: 'append';
      readonly path: string;
      readonly inode: number;
      readonly size: number;
      readonly length: number;
    };

type JournalLine = { readonly begin: number; readonly work: Unfinished } | { readonly end: number };

const MAX_BYTES = 64 * 1024;

/**
 * One file a process, in the state folder: a line before something is begun and one when it is over. It needs
 * no fsync, because it is for processes that die and not for machines: what was written outlives kill -9.
 */
export class WriteJournal {
  #descriptor: number | undefined;
  #next = 1;
  #bytes = 0;
  readonly #open = new Set<number>();

  constructor(private readonly folder: string) {}

  begin(work: Unfinished): number {
    const id = this.#next;
    this.#next += 1;
    this.#open.add(id);
    this.#append({ begin: id, work });
    return id;
  }

  end(id: number): void {
    this.#open.delete(id);
    this.#append({ end: id });
    if (this.#open.size > 0 || this.#bytes < MAX_BYTES || this.#descriptor === undefined) return;
    ftruncateSync(this.#descriptor, 0);
    this.#bytes = 0;
  }

  /** Hands over what dead processes left, then forgets it. */
  async recover(clean: (work: Unfinished) => Promise<boolean>): Promise<number> {
    let cleaned = 0;
    for (const name of this.#journals()) {
      const identity = /^writes-(\d+-\d+)\.jsonl$/.exec(name)?.[1];
      if (identity === undefined || isAlive(identity)) continue;
      const path = join(this.folder, name);
      for (const work of unfinishedIn(readFileSync(path, 'utf8'))) if (await clean(work)) cleaned += 1;
      unlinkSync(path);
    }
    return cleaned;
  }

  #journals(): readonly string[] {
    try {
      return readdirSync(this.folder);
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return [];
      throw error;
    }
  }

  #append(line: JournalLine): void {
    this.#descriptor ??= this.#create();
    this.#bytes += writeSync(this.#descriptor, `${JSON.stringify(line)}\n`);
  }

  #create(): number {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    return openSync(join(this.folder, `writes-${ownIdentity()}.jsonl`), 'a', 0o600);
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

function unfinishedIn(text: string): readonly Unfinished[] {
  const open = new Map<number, Unfinished>();
  // The last line may be torn; it was written before anything was begun, so nothing is lost with it.
  for (const line of text.split('\n').slice(0, -1)) {
    const entry = parseLine(line);
    if (entry === undefined) continue;
    if ('end' in entry) open.delete(entry.end);
    else open.set(entry.begin, entry.work);
  }
  return [...open.values()];
}

function parseLine(line: string): JournalLine | undefined {
  try {
    const value: JournalLine = JSON.parse(line);
    return value;
  } catch {
    // A line that a killed process did not finish says nothing.
    return undefined;
  }
}
