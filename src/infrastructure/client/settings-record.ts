import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '../../domain/json-value.js';
import { replaceFileSync } from '../state/atomic-file.js';
import { readForeignFileSync } from '../state/foreign-file.js';

const MAX_RECORD = 64 * 1024 * 1024;

/** Whole lines that took the place of others. */
interface Splice {
  /** The server that they belong to. */
  readonly name: string;
  readonly at: number;
  readonly removed: string;
  readonly inserted: string;
}

/** What we changed in a file, so that it can be taken back byte for byte. */
export interface SettingsRecord {
  readonly existed: boolean;
  /** Folders that were made for it, the outermost first. */
  readonly folders: readonly string[];
  /** Absent: somebody else changed the file between two changes of ours. */
  readonly before?: string;
  readonly after: string;
  readonly splices: readonly Splice[];
}

export interface Undone {
  readonly text: string;
  /** The file is as it was before the first change. */
  readonly exact: boolean;
}

/** The records of this user, one a file. */
export class SettingsRecords {
  constructor(private readonly stateFolder: string) {}

  read(path: string): SettingsRecord | undefined {
    const file = readForeignFileSync(this.#place(path), { maxBytes: MAX_RECORD, links: 'nowhere' });
    if (file.kind !== 'bytes') return undefined;
    try {
      const record: unknown = JSON.parse(file.bytes.toString('utf8'));
      return isRecord(record) ? record : undefined;
    } catch (error) {
      // Half a record is none: what is ours is then found by its name.
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  write(path: string, record: SettingsRecord): void {
    replaceFileSync(this.#place(path), JSON.stringify(record));
  }

  remove(path: string): void {
    rmSync(this.#place(path), { force: true });
  }

  #place(path: string): string {
    return join(this.stateFolder, 'clients', `${digestOf(path).slice(0, 32)}.json`);
  }
}

/** The record after another change, from `before` to the last of `texts`, each of which is one step further. */
export function recordChange(
  known: SettingsRecord | undefined,
  change: { readonly before: string | undefined; readonly texts: readonly string[]; readonly name: string },
  folders: readonly string[],
): SettingsRecord {
  const { before, texts, name } = change;
  const steps = [before ?? '', ...texts];
  const splices = texts
    .map((text, index) => spliceOf(steps[index] ?? '', text, name))
    .filter(({ removed, inserted }) => removed !== inserted);
  const after = digestOf(steps.at(-1) ?? '');
  if (known === undefined)
    return { existed: before !== undefined, folders, before: digestOf(before ?? ''), after, splices };
  const { before: first, ...rest } = known;
  const isOurs = known.after === digestOf(before ?? '');
  return {
    ...rest,
    ...(isOurs && first !== undefined && { before: first }),
    after,
    splices: [...known.splices, ...splices],
  };
}

/** Takes back what belongs to the name: exactly where nobody else changed the file, else where our lines still are. */
export function undo(text: string, { before, after, splices }: SettingsRecord, name: string): Undone {
  const exact =
    before !== undefined && after === digestOf(text) && splices.every((splice) => splice.name === name);
  let now = text;
  for (const splice of splices.toReversed()) {
    if (splice.name !== name) continue;
    const at = exact ? splice.at : placeOf(now, splice);
    if (at !== undefined) now = now.slice(0, at) + splice.removed + now.slice(at + splice.inserted.length);
  }
  return { text: now, exact: exact && digestOf(now) === before };
}

/** Undefined: the lines are gone, or there more than once. */
function placeOf(text: string, { at, inserted }: Splice): number | undefined {
  if (inserted === '') return undefined;
  if (text.startsWith(inserted, at)) return at;
  const first = text.indexOf(inserted);
  return first !== -1 && text.indexOf(inserted, first + 1) === -1 ? first : undefined;
}

function spliceOf(before: string, after: string, name: string): Splice {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  start = before.lastIndexOf('\n', start - 1) + 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const isLineStart = [before, after].every((text) =>
    /^$|\n$/.test(text.slice(0, text.length - end).slice(-1)),
  );
  const line = before.slice(before.length - end).indexOf('\n');
  if (!isLineStart) end = line === -1 ? 0 : end - line - 1;
  return {
    name,
    at: start,
    removed: before.slice(start, before.length - end),
    inserted: after.slice(start, after.length - end),
  };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function isRecord(value: unknown): value is SettingsRecord {
  return (
    isJsonObject(value) &&
    typeof value.existed === 'boolean' &&
    typeof value.after === 'string' &&
    Array.isArray(value.folders) &&
    Array.isArray(value.splices)
  );
}
