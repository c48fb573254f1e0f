import { type ObjectFormat, readIndex } from '../../index/index-layout.js';

/** What an index says of one path. */
interface IndexState {
  readonly mode: number;
  readonly object: string;
}

/** A path of which two indexes say different things. */
export interface IndexChange {
  /** One character a byte. */
  readonly path: string;
  readonly stage: number;
  readonly before: IndexState | undefined;
  readonly after: IndexState | undefined;
}

/** The entries of an index in git's order. */
export interface IndexList {
  readonly bytes: Buffer;
  readonly names: readonly Uint8Array[];
  readonly stages: readonly number[];
  readonly modes: readonly number[];
  /** Where each entry has the name of its object. */
  readonly objects: readonly number[];
  readonly hashLength: number;
}

const OBJECT_AT = 40;
/** Of the flags: assume-unchanged, and whether there are more. */
const KEPT_FLAGS = 0xc000;

export function listIndex(bytes: Buffer, format: ObjectFormat): IndexList {
  const [names, stages, modes, objects]: [Uint8Array[], number[], number[], number[]] = [[], [], [], []];
  readIndex(bytes, format, ({ name, stage, mode, start }) => {
    names.push(name);
    stages.push(stage);
    modes.push(mode);
    objects.push(start + OBJECT_AT);
  });
  return { bytes, names, stages, modes, objects, hashLength: format === 'sha1' ? 20 : 32 };
}

export const NO_INDEX: IndexList = {
  bytes: Buffer.alloc(0),
  names: [],
  stages: [],
  modes: [],
  objects: [],
  hashLength: 20,
};

/** Where they differ in more than the times and sizes of files. */
export function changesBetween(base: IndexList, mine: IndexList): readonly IndexChange[] {
  const changes: IndexChange[] = [];
  let [left, right] = [0, 0];
  while (left < base.names.length || right < mine.names.length) {
    const order = compare(base, left, mine, right);
    if (order === 0 && !isSame(base, left, mine, right))
      changes.push(change(mine, right, stateAt(base, left), stateAt(mine, right)));
    if (order < 0) changes.push(change(base, left, stateAt(base, left), undefined));
    if (order > 0) changes.push(change(mine, right, undefined, stateAt(mine, right)));
    if (order <= 0) left += 1;
    if (order >= 0) right += 1;
  }
  return changes;
}

function compare(base: IndexList, left: number, mine: IndexList, right: number): number {
  const [one, other] = [base.names[left], mine.names[right]];
  if (one === undefined) return 1;
  if (other === undefined) return -1;
  return Buffer.compare(one, other) || (base.stages[left] ?? 0) - (mine.stages[right] ?? 0);
}

function isSame(base: IndexList, left: number, mine: IndexList, right: number): boolean {
  const [from, at] = [base.objects[left] ?? 0, mine.objects[right] ?? 0];
  const { hashLength } = mine;
  return (
    base.modes[left] === mine.modes[right] &&
    base.bytes.compare(mine.bytes, at, at + hashLength, from, from + hashLength) === 0 &&
    flagsAt(base, from) === flagsAt(mine, at)
  );
}

/** With those that say more: skip-worktree and intent-to-add. */
function flagsAt({ bytes, hashLength }: IndexList, object: number): number {
  const flags = bytes.readUInt16BE(object + hashLength);
  const more = flags & 0x4000 ? bytes.readUInt16BE(object + hashLength + 2) : 0;
  return (flags & KEPT_FLAGS & ~(more === 0 ? 0x4000 : 0)) * 0x10000 + more;
}

function stateAt({ modes, objects, bytes, hashLength }: IndexList, number: number): IndexState {
  const at = objects[number] ?? 0;
  return { mode: modes[number] ?? 0, object: bytes.toString('hex', at, at + hashLength) };
}

function change(
  list: IndexList,
  number: number,
  before: IndexState | undefined,
  after: IndexState | undefined,
): IndexChange {
  const path = Buffer.from(list.names[number] ?? []).toString('latin1');
  return { path, stage: list.stages[number] ?? 0, before, after };
}
