import { copyFileSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { IndexFault, type ObjectFormat } from '../../index/index-layout.js';
import { judgeIndex } from '../../index/index-verdict.js';
import { MODE } from '../../index/tracked-path.js';
import {
  changesBetween,
  type IndexChange,
  type IndexList,
  listIndex,
  NO_INDEX,
} from '../sides/index-changes.js';
import { MAX_INDEX } from '../sides/snapshot.js';
import { trustedGit } from '../trusted-git.js';
import type { PushState } from './push-state.js';

/** An index that passes. */
export interface JudgedIndex {
  /** undefined: there is none any more. */
  readonly bytes: Buffer | undefined;
  readonly changes: readonly IndexChange[];
  readonly base: IndexList;
}

/** git knows it without an object. */
const EMPTY_BLOBS = new Set([
  'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
  '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813',
]);

/** undefined: it stays inside, and why has been told. */
export function judgeNewIndex(push: PushState, read: Buffer | undefined): JudgedIndex | undefined {
  const stays = (why: string): undefined => {
    push.run.note(`${push.label('index')} stays inside: ${why}.`);
    push.changes.setInside('index', push.now.get('index'));
    return undefined;
  };
  const format = formatOf(push);
  const base = baseIndex(push, format);
  if (read === undefined) return { bytes: undefined, changes: changesBetween(base, NO_INDEX), base };
  const bytes = joined(push, read, format);
  const verdict = judgeIndex(bytes, format);
  if (verdict.kind === 'strange') return stays(`it ${verdict.why}`);
  if (verdict.shared !== undefined) return stays('it needs a shared index that is not there');
  const mine = listIndex(bytes, format);
  const changes = changesBetween(base, mine);
  return hasObjects(push, changes) ? { bytes, changes, base } : stays('it names objects that there are not');
}

function hasObjects({ run, unit }: PushState, changes: readonly IndexChange[]): boolean {
  const objects = changes.flatMap(({ after }) =>
    after === undefined || after.mode === MODE.repository ? [] : [after.object],
  );
  const asked = [...new Set(objects)].filter((object) => !EMPTY_BLOBS.has(object));
  if (asked.length === 0) return true;
  const answer = trustedGit(['cat-file', '--batch-check=%(objectname)'], {
    folder: run.real(unit.path),
    input: `${asked.join('\n')}\n`,
  });
  return answer.isDone && !answer.out.includes(' missing');
}

/** To be called while the real index is locked. */
export function pushIndex(push: PushState, judged: JudgedIndex): void {
  const { run, unit, base } = push;
  const real = run.outside.item(unit, 'index');
  const { bytes } = judged;
  if (bytes === undefined) {
    if (real !== base.outside.get('index')) {
      push.take('index');
      return;
    }
    run.outside.tree.remove(push.label('index'));
    keepBase(push, undefined);
    push.changes.set('index', undefined, undefined);
    return;
  }
  const format = formatOf(push);
  const theirs =
    real === undefined || real === base.outside.get('index') ? judged.base : theirIndex(push, format);
  // Often the user's git has only noted times.
  if (changesBetween(judged.base, theirs).length === 0) {
    place(push, bytes);
    push.changes.set('index', push.now.get('index'), run.outside.item(unit, 'index'));
    return;
  }
  merge(push, judged, theirs);
  push.take('index');
}

function place(push: PushState, bytes: Buffer): void {
  const { run, unit } = push;
  const path = push.label('index');
  const mtimeMs = Number(push.now.get('index')?.split('.').at(-1));
  run.outside.tree.write(path, bytes, {
    mtimeMs,
    mode: Number((run.outside.tree.stat(path)?.mode ?? 0o644n) & 0o777n),
  });
  keepBase(push, run.real(unit.path, 'index'));
}

/** Entry by entry; what both changed stays the user's. */
function merge(push: PushState, { changes, base }: JudgedIndex, theirs: IndexList): void {
  const { run, unit } = push;
  const users = new Map(
    changesBetween(base, theirs).map((change) => [`${change.stage}\t${change.path}`, change]),
  );
  const differs = ({ stage, path, after }: IndexChange): boolean => {
    const other = users.get(`${stage}\t${path}`);
    return (
      other !== undefined && (other.after?.object !== after?.object || other.after?.mode !== after?.mode)
    );
  };
  const both = changes.filter(differs);
  const lines = changes
    .filter((change) => !users.has(`${change.stage}\t${change.path}`))
    .map(({ stage, path, after }) =>
      after === undefined
        ? `0 ${'0'.repeat(base.hashLength * 2)} ${stage}\t${path}\0`
        : `${after.mode.toString(8)} ${after.object} ${stage}\t${path}\0`,
    );
  if (both.length > 0)
    run.conflict({
      unit: unit.path,
      item: `index: ${both
        .slice(0, 5)
        .map(({ path }) => path)
        .join(', ')}`,
    });
  const draft = `${run.place.state}/index.draft`;
  copyFileSync(run.real(unit.path, 'index'), draft);
  const answer = trustedGit(['update-index', '-z', '--index-info'], {
    folder: run.real(unit.path),
    input: Buffer.from(lines.join(''), 'latin1'),
    env: { GIT_INDEX_FILE: draft, GIT_WORK_TREE: '/' },
  });
  if (answer.isDone) run.outside.tree.write(push.label('index'), readFileSync(draft));
  else
    run.note(
      `${push.label('index')}: what was staged on both sides could not be combined: ${answer.complaint}`,
    );
  rmSync(draft, { force: true });
}

function theirIndex(push: PushState, format: ObjectFormat): IndexList {
  const bytes = push.run.outside.tree.read(push.label('index'), MAX_INDEX);
  return bytes === undefined ? NO_INDEX : listed(joined(push, bytes, format), format);
}

function baseIndex(push: PushState, format: ObjectFormat): IndexList {
  const file = baseFile(push.run.place.state, push.unit.path);
  return existsSync(file) ? listed(joined(push, readFileSync(file), format), format) : NO_INDEX;
}

function listed(bytes: Buffer, format: ObjectFormat): IndexList {
  try {
    return listIndex(bytes, format);
  } catch (error) {
    if (error instanceof IndexFault) return NO_INDEX;
    throw error;
  }
}

function baseFile(state: string, unit: string): string {
  return `${state}/index/${encodeURIComponent(unit) || 'main'}`;
}

/** git never writes into an index that is there, so another name of it is a copy that costs nothing. */
export function keepBaseIndex(state: string, unit: string, from: string | undefined): void {
  const file = baseFile(state, unit);
  mkdirSync(`${state}/index`, { recursive: true });
  rmSync(file, { force: true });
  if (from === undefined || !existsSync(from)) return;
  try {
    linkSync(from, file);
  } catch {
    // Another disk, or one without hard links.
    copyFileSync(from, file);
  }
}

function keepBase({ run, unit }: PushState, from: string | undefined): void {
  keepBaseIndex(run.place.state, unit.path, from);
}

/** An index in two parts becomes one; git joins them in an empty repository of ours. */
function joined({ run, unit }: PushState, bytes: Buffer, format: ObjectFormat): Buffer {
  const verdict = bytes.includes('link') ? judgeIndex(bytes, format) : undefined;
  if (verdict?.kind !== 'sound' || verdict.shared === undefined) return bytes;
  const name = `sharedindex.${verdict.shared}`;
  const path = unit.path === '' ? name : `${unit.path}/${name}`;
  const shared = run.inside.tree.read(path, MAX_INDEX) ?? run.outside.tree.read(path, MAX_INDEX);
  if (shared === undefined || judgeIndex(shared, format).kind === 'strange') return bytes;
  const folder = run.reader(format);
  writeFileSync(`${folder}/${name}`, shared);
  writeFileSync(`${folder}/joined`, bytes);
  trustedGit(['update-index', '--no-split-index', '--force-write-index'], {
    folder,
    env: { GIT_INDEX_FILE: `${folder}/joined`, GIT_WORK_TREE: '/' },
  });
  rmSync(`${folder}/${name}`, { force: true });
  return readFileSync(`${folder}/joined`);
}

function formatOf({ run, unit }: PushState): ObjectFormat {
  return run.formatOf(unit.common);
}
