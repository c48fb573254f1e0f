import { IndexFault, type IndexRecord, type ObjectFormat, readIndex } from './index-layout.js';
import { isTrackable, MODE } from './tracked-path.js';

/** What an index turned out to be. */
export type IndexVerdict =
  | {
      readonly kind: 'sound';
      readonly entries: number;
      /** Paths of other repositories; whether git may look into those is not decided here. */
      readonly repositories: readonly string[];
      /** The shared index that must be judged as well: `sharedindex.NAME` in the same folder. */
      readonly shared: string | undefined;
    }
  /** `why` goes on from "The index": "has the entry …". */
  | { readonly kind: 'strange'; readonly why: string };

const MODES: ReadonlySet<number> = new Set(Object.values(MODE));
const SLASH = 0x2f;
const BACKSLASH = 0x5c;
const DOT = 0x2e;
const text = new TextDecoder();

/**
 * Judges the bytes of an index, or of a shared one: is every entry one that git would have made? A pure function, which
 * asks neither the disk nor git. Checksums and objects are not looked at: git refuses those by itself.
 */
export function judgeIndex(bytes: Uint8Array, format: ObjectFormat): IndexVerdict {
  const found: { strange: string | undefined } = { strange: undefined };
  const ends = new Set<string>();
  const repositories: string[] = [];
  const visit = (record: IndexRecord): void => {
    found.strange ??= strangeEntry(record);
    if (record.mode !== MODE.link && record.mode !== MODE.repository) return;
    const path = text.decode(record.name);
    if (record.mode === MODE.repository) repositories.push(path);
    if (record.stage === 0) ends.add(path.toLowerCase());
  };
  try {
    const { entries, shared } = readIndex(bytes, format, visit);
    if (ends.size > 0) found.strange ??= behindEnds(bytes, format, ends);
    if (found.strange !== undefined) return { kind: 'strange', why: found.strange };
    return { kind: 'sound', entries, repositories, shared };
  } catch (error) {
    if (error instanceof IndexFault) return { kind: 'strange', why: `cannot be read: ${error.message}` };
    throw error;
  }
}

function strangeEntry({ name, mode }: IndexRecord): string | undefined {
  // An entry that takes the place of one in the shared index has no name of its own.
  if (MODES.has(mode) && (name.length === 0 || !isSuspicious(name, mode))) return undefined;
  const path = text.decode(name);
  if (!MODES.has(mode))
    return `has the entry ${JSON.stringify(path)} of the unknown kind ${mode.toString(8)}`;
  return isTrackable(path, mode) ? undefined : `has the entry ${JSON.stringify(path)}`;
}

/** Cheap, because most names are plain: whether the path needs a closer look. */
function isSuspicious(name: Uint8Array, mode: number): boolean {
  if (mode === MODE.folder || name.at(-1) === SLASH) return true;
  let isStart = true;
  for (const byte of name) {
    if (isStart && (byte === DOT || byte === SLASH || byte === 0x67 || byte === 0x47 || byte >= 0x80))
      return true;
    isStart = byte === SLASH || byte === BACKSLASH;
  }
  return false;
}

/** git has no files below a link or below another repository. */
function behindEnds(bytes: Uint8Array, format: ObjectFormat, ends: ReadonlySet<string>): string | undefined {
  let strange: string | undefined;
  let last = '';
  readIndex(bytes, format, ({ name, stage }) => {
    if (stage !== 0 || strange !== undefined) return;
    const folder = text.decode(name.subarray(0, name.lastIndexOf(SLASH) + 1)).toLowerCase();
    if (folder === last) return;
    last = folder;
    for (let at = folder.indexOf('/'); at > 0; at = folder.indexOf('/', at + 1))
      if (ends.has(folder.slice(0, at)))
        strange = `has the entry ${JSON.stringify(text.decode(name))} below ${JSON.stringify(folder.slice(0, at))}, which is no folder`;
  });
  return strange;
}
