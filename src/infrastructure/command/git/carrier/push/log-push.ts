import { passing } from '../rules/state-rules.js';
import { MAX_FILE, wordFor } from '../sides/snapshot.js';
import { OWN_LINE } from '../trusted-git.js';
import type { PushState } from './push-state.js';

const LOCK_WAIT_MS = 200;

/**
 * Carries the log of a ref. git writes a log while it holds the lock of its ref, so that with this lock no line of the user's gets
 * lost. The lines that moving the ref has added by itself give way to the command's own.
 */
export function pushLog(push: PushState, name: string): void {
  const { run, unit, now } = push;
  const path = push.label(name);
  if (now.get(name) === undefined) {
    run.outside.tree.remove(path);
    run.outside.tree.removeEmptyAbove(path, (folder) => !/(?:^|\/)logs\/refs\/.+\/.+$/.test(folder));
    push.changes.set(name, undefined, undefined);
    return;
  }
  const bytes = run.inside.tree.read(path, MAX_FILE);
  if (bytes === undefined || wordFor(name, bytes) !== now.get(name)) {
    run.busy = true;
    return;
  }
  if (passing(name, bytes) === undefined) {
    run.staysInside(path);
    push.changes.setInside(name, now.get(name));
    return;
  }
  const ref = run.real(unit.path, name.slice('logs/'.length));
  if (!run.locks.take(ref, LOCK_WAIT_MS)) {
    run.busy = true;
    return;
  }
  try {
    write(push, name, bytes);
  } finally {
    run.locks.release(ref);
  }
}

/** Moving refs has added lines by itself. Where the command's own are yet to come, the log is again what it was. */
export function tidyLogs(push: PushState): void {
  const { run, unit, changed } = push;
  if (!changed.some((name) => name.startsWith('refs/'))) return;
  for (const ref of ['HEAD', ...changed.filter((name) => name.startsWith('refs/'))]) {
    const path = push.label(`logs/${ref}`);
    const isOurs = (line: string): boolean => line.includes(OWN_LINE);
    if (!linesOf(run.outside.tree.read(path, MAX_FILE) ?? Buffer.alloc(0)).some(isOurs)) continue;
    const real = run.real(unit.path, ref);
    if (!run.locks.take(real, LOCK_WAIT_MS)) {
      run.busy = true;
      continue;
    }
    try {
      const lines = linesOf(run.outside.tree.read(path, MAX_FILE) ?? Buffer.alloc(0));
      run.outside.tree.write(path, textOf(lines.filter((line) => !isOurs(line))));
    } finally {
      run.locks.release(real);
    }
  }
}

function write(push: PushState, name: string, bytes: Buffer): void {
  const { run, base } = push;
  const path = push.label(name);
  const there = linesOf(run.outside.tree.read(path, MAX_FILE) ?? Buffer.alloc(0)).filter(
    (line) => !line.includes(OWN_LINE),
  );
  const mine = linesOf(bytes);
  const isUntouched =
    wordFor(name, textOf(there)) === (base.outside.get(name) ?? wordFor(name, Buffer.alloc(0)));
  if (isUntouched || there.every((line, index) => line === mine[index])) {
    run.outside.tree.write(path, bytes);
    const value = wordFor(name, bytes);
    push.changes.set(name, value, value);
    return;
  }
  // Both wrote: the command's new lines behind the user's.
  const [, size = '0'] = base.inside.get(name)?.split('.') ?? [];
  const known = new Set([...there, ...linesOf(bytes.subarray(0, Number(size)))]);
  run.outside.tree.write(path, textOf([...there, ...mine.filter((line) => !known.has(line))]));
  push.take(name);
}

function linesOf(bytes: Buffer): readonly string[] {
  return bytes
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '');
}

function textOf(lines: readonly string[]): Buffer {
  return Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1');
}
