import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { replaceFileSync } from '../../../state/atomic-file.js';
import { readForeignFileSync } from '../../../state/foreign-file.js';
import { stampOf } from '../blob-names.js';
import { entriesOf } from '../config-verdict.js';
import type { OpenDoor } from '../door-baseline.js';
import { look, readRegularFile } from '../git-files.js';
import type { GitPlace } from '../git-place.js';
import { commonFolder } from '../git-pointers.js';
import type { ObjectFormat } from './index-layout.js';
import { judgeIndex } from './index-verdict.js';

/** More than a million entries. */
const MAX_INDEX = 128 * 1024 * 1024;
/** The kernel stamps changes with a clock that lags behind a little. */
const CLOCK_LAG_MS = 50;
const WHY = 'which git would not have made: checking out files would follow it';

/** When an index is judged. */
export interface IndexMoment {
  /** A command has ended, or none has begun. */
  readonly isOver: boolean;
  /** Nothing runs that could write to it, not even through a mapping that leaves no trace in its times. */
  readonly isQuiet: boolean;
}

interface KnownIndex {
  /** As of a moment when nothing ran. */
  settled?: string | undefined;
  /** Found sound while something ran, which counts until the next end of a command. */
  seen?: string | undefined;
}

type Judged =
  | { readonly kind: 'sound'; readonly bytes: Buffer }
  | { readonly kind: 'strange'; readonly why: string }
  /** Gone since it was looked at. */
  | { readonly kind: 'missing' };

/**
 * Watches over the indexes of repositories. git obeys whatever path an index has, so that one which git would not have
 * made is taken away, and the last sound one is put in its place.
 */
export class IndexGuard {
  readonly #known = new Map<string, KnownIndex>();

  /** `folder`: in the server's state, where the last sound index of each repository is kept. */
  constructor(private readonly folder: string) {}

  /** None of them has changed since nothing ran. */
  isUnchanged(places: readonly GitPlace[]): boolean {
    return places.every(({ folder }) => {
      const path = join(folder, 'index');
      const stats = look(path);
      return stats === undefined || this.#known.get(path)?.settled === stampOf(stats);
    });
  }

  open(places: readonly GitPlace[], moment: IndexMoment): readonly OpenDoor[] {
    return places.flatMap((place) => this.openIn(place, moment) ?? []);
  }

  openIn({ folder }: Pick<GitPlace, 'folder'>, { isOver, isQuiet }: IndexMoment): OpenDoor | undefined {
    const path = join(folder, 'index');
    const stats = look(path);
    if (stats === undefined) return undefined;
    const known = this.#of(path);
    const stamp = stampOf(stats);
    if (stamp === known.settled || (!isOver && stamp === known.seen)) return undefined;
    const judged = stats.isFile() ? judge(folder, path) : NO_FILE;
    if (judged.kind === 'missing') return undefined;
    if (judged.kind === 'strange') {
      const instead = this.#copyOf(path);
      return { path, taken: path, owner: folder, why: judged.why, instead };
    }
    known.seen = stamp;
    if (isOver) replaceFileSync(this.#nameOf(path), judged.bytes);
    if (isQuiet && !isYoung(stats)) known.settled = stamp;
    return undefined;
  }

  /**
   * To be called while nothing runs. What is strange then is of the user, unless a sound one was kept: it was left by
   * a command whose server was killed.
   */
  remember(places: readonly GitPlace[]): readonly OpenDoor[] {
    return this.open(places, { isOver: true, isQuiet: true }).filter(({ path, instead }) => {
      if (instead !== undefined) return true;
      const stats = look(path);
      if (stats !== undefined) this.#of(path).settled = stampOf(stats);
      return false;
    });
  }

  #of(path: string): KnownIndex {
    const known = this.#known.get(path) ?? {};
    this.#known.set(path, known);
    return known;
  }

  #copyOf(path: string): Buffer | undefined {
    const file = readForeignFileSync(this.#nameOf(path), { maxBytes: MAX_INDEX, links: 'nowhere' });
    return file.kind === 'bytes' ? file.bytes : undefined;
  }

  #nameOf(path: string): string {
    return join(this.folder, createHash('sha256').update(path).digest('hex').slice(0, 32));
  }
}

const NO_FILE: Judged = { kind: 'strange', why: 'is no plain file' };

function judge(folder: string, path: string): Judged {
  const format = formatOf(folder);
  const file = readForeignFileSync(path, { maxBytes: MAX_INDEX, links: 'nowhere' });
  if (file.kind === 'missing') return file;
  if (file.kind === 'refused') return { kind: 'strange', why: `cannot be read: ${file.why}` };
  const verdict = judgeIndex(file.bytes, format);
  if (verdict.kind === 'strange') return { kind: 'strange', why: `${verdict.why}, ${WHY}` };
  if (verdict.shared !== undefined) {
    const shared = readForeignFileSync(join(folder, `sharedindex.${verdict.shared}`), {
      maxBytes: MAX_INDEX,
      links: 'nowhere',
    });
    // Without it git refuses the index.
    const other = shared.kind === 'bytes' ? judgeIndex(shared.bytes, format) : undefined;
    if (other?.kind === 'strange')
      return { kind: 'strange', why: `${other.why} (in its shared part), ${WHY}` };
  }
  return { kind: 'sound', bytes: file.bytes };
}

function formatOf(folder: string): ObjectFormat {
  const text = readRegularFile(join(commonFolder(folder) ?? folder, 'config')) ?? '';
  // Asking git takes a process.
  if (!/sha256/i.test(text)) return 'sha1';
  const [, format] = entriesOf(text)?.findLast(([key]) => key === 'extensions.objectformat') ?? [];
  return format?.toLowerCase() === 'sha256' ? 'sha256' : 'sha1';
}

function isYoung({ ctimeMs }: Stats): boolean {
  return Date.now() - ctimeMs <= CLOCK_LAG_MS;
}
