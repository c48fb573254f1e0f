import { mkdirSync, writeFileSync } from 'node:fs';
import type { ObjectFormat } from '../index/index-layout.js';
import type { AirlockPlace, CarryConflict, CarryOptions, CarryReport } from './carrier-messages.js';
import type { BaseLog } from './sides/base-log.js';
import type { HeldLocks } from './sides/held-locks.js';
import { KeptTexts } from './sides/kept-texts.js';
import { join } from './sides/refs.js';
import type { Side } from './sides/snapshot.js';

const MAX_CONFIG = 4 * 1024 * 1024;

/** One run of the carrier: both sides, what is known of them, and what is to be told. */
export class Carriage {
  changed = false;
  busy = false;
  commits = 0;
  unsigned = false;
  readonly texts: KeptTexts;
  readonly #conflicts: CarryConflict[] = [];
  readonly #inside: string[] = [];
  readonly #notes: string[] = [];

  constructor(
    readonly place: AirlockPlace,
    readonly inside: Side,
    readonly outside: Side,
    readonly base: BaseLog,
    readonly locks: HeldLocks,
    readonly options: CarryOptions,
  ) {
    this.texts = new KeptTexts(`${place.state}/settings`);
  }

  formatOf(unit: string): ObjectFormat {
    const text = this.outside.tree.read(join(unit, 'config'), MAX_CONFIG)?.toString('latin1') ?? '';
    return /^\s*objectformat\s*=\s*"?sha256/im.test(text) ? 'sha256' : 'sha1';
  }

  /** An empty repository of our own: the only place where git reads what commands wrote. */
  reader(format: ObjectFormat): string {
    const folder = `${this.place.state}/reader-${format}`;
    for (const part of ['objects', 'refs']) mkdirSync(`${folder}/${part}`, { recursive: true });
    const extension = format === 'sha1' ? '0' : '1\n[extensions]\n\tobjectformat = sha256\n[core]';
    writeFileSync(`${folder}/config`, `[core]\n\trepositoryformatversion = ${extension}\n\tbare = false\n`);
    writeFileSync(`${folder}/HEAD`, 'ref: refs/heads/none\n');
    return folder;
  }

  /** A path of the real side. */
  real(unit: string, name = ''): string {
    return [this.place.real, unit, name].filter((part) => part !== '').join('/');
  }

  conflict(conflict: CarryConflict): void {
    this.#conflicts.push(conflict);
  }

  /** Once for each thing. */
  staysInside(what: string): void {
    if (this.base.tell(what)) this.#inside.push(what);
  }

  note(sentence: string): void {
    this.#notes.push(sentence);
  }

  report(): CarryReport {
    return {
      changed: this.changed,
      busy: this.busy,
      conflicts: this.#conflicts,
      inside: this.#inside,
      notes: this.#notes,
      commits: this.commits,
      unsigned: this.unsigned,
    };
  }
}
