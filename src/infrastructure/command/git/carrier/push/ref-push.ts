import { OBJECT_NAME, targetOf } from '../rules/ref-names.js';
import { trustedGit } from '../trusted-git.js';
import { isFastForward } from './connectivity.js';
import { keepTips } from './kept-tips.js';
import type { PushState } from './push-state.js';

/** A ref that becomes something else than the name of an object, or was. */
interface SymbolicChange {
  readonly name: string;
  readonly value: string | undefined;
}

interface RefChanges {
  readonly lines: string[];
  readonly symbolic: SymbolicChange[];
  /** Replaced or deleted tips. */
  readonly lost: (readonly [name: string, tip: string])[];
}

/** Moves refs of the real side, as long as they are what they were at the last sync. */
export function pushRefs(push: PushState, names: readonly string[], more: readonly string[] = []): void {
  const changes: RefChanges = { lines: [...more], symbolic: [], lost: [] };
  for (const name of names) plan(push, name, changes);
  keepTips(push, changes.lost);
  commit(push, changes.lines);
  for (const change of changes.symbolic) pushSymbolic(push, change);
}

function plan(push: PushState, name: string, { lines, symbolic, lost }: RefChanges): void {
  const { run, unit, base, now } = push;
  const [value, real] = [now.get(name), run.outside.item(unit, name)];
  if (value === real) {
    push.changes.set(name, value, value);
    return;
  }
  if (value !== undefined && !push.commits.isWhole) {
    push.yield(name);
    return;
  }
  const head = run.outside.item(unit, 'HEAD');
  if (value === undefined && targetOf(head) === name && now.get('HEAD') === head) {
    run.note(`${push.label(name)} is what HEAD names, so it is not deleted.`);
    push.yield(name);
    return;
  }
  if (real !== base.outside.get(name)) {
    lines.push(...keepBoth(push, name));
    return;
  }
  if ((value !== undefined && !OBJECT_NAME.test(value)) || (real !== undefined && !OBJECT_NAME.test(real))) {
    symbolic.push({ name, value });
    return;
  }
  if (real !== undefined && (value === undefined || !isFastForward(push, real, value)))
    lost.push([name, real]);
  if (value === undefined) lines.push(`delete ${name} ${real}`);
  else lines.push(real === undefined ? `create ${name} ${value}` : `update ${name} ${value} ${real}`);
}

/** The user moved it meanwhile: the user's stays, and the command's commit is kept under another name. */
function keepBoth(push: PushState, name: string): readonly string[] {
  const value = push.now.get(name);
  push.yield(name);
  const isKept = value !== undefined && OBJECT_NAME.test(value);
  const kept = isKept ? `refs/airlock/${name.slice('refs/'.length)}-${value.slice(0, 12)}` : undefined;
  push.run.conflict({ unit: push.unit.path, item: name, ...(kept !== undefined && { kept }) });
  return kept === undefined ? [] : [`update ${kept} ${value}`];
}

/** All in one step; where that fails (a name becomes a folder, or somebody was faster), one by one, deletions first. */
function commit(push: PushState, lines: readonly string[]): void {
  if (lines.length === 0) return;
  if (transact(push, lines) === undefined) {
    for (const line of lines) settle(push, line);
    return;
  }
  const isDeletion = (line: string): boolean => line.startsWith('delete ');
  for (const line of [...lines.filter(isDeletion), ...lines.filter((one) => !isDeletion(one))]) {
    const complaint = transact(push, [line]);
    const [, name = ''] = line.split(' ');
    if (complaint === undefined) settle(push, line);
    else if (push.now.has(name) || push.base.inside.has(name)) {
      push.run.note(`${push.label(name)}: ${complaint}`);
      for (const other of keepBoth(push, name)) transact(push, [other]);
    }
  }
}

function settle({ changes }: PushState, line: string): void {
  const [verb, name = '', value] = line.split(' ');
  if (name.startsWith('refs/airlock/')) return;
  const now = verb === 'delete' ? undefined : value;
  changes.set(name, now, now);
}

function transact({ run, unit }: PushState, lines: readonly string[]): string | undefined {
  const input = ['start', ...lines, 'prepare', 'commit', ''].join('\n');
  const answer = trustedGit(['update-ref', '--stdin'], { folder: run.real(unit.path), input });
  return answer.isDone ? undefined : answer.complaint;
}

function pushSymbolic(push: PushState, { name, value }: SymbolicChange): void {
  const { run, unit, changes } = push;
  const folder = run.real(unit.path);
  const target = targetOf(value);
  if (target !== undefined && isCircle(push, name, target)) {
    run.note(`${push.label(name)} leads back to itself, so it stays inside.`);
    changes.setInside(name, value);
    return;
  }
  if (target !== undefined) trustedGit(['symbolic-ref', name, target], { folder });
  else {
    trustedGit(['symbolic-ref', '-d', name], { folder });
    if (value !== undefined) trustedGit(['update-ref', '--no-deref', name, value], { folder });
  }
  const now = run.outside.item(unit, name);
  if (now === value) changes.set(name, value, value);
  else run.busy = true;
}

/** git follows no more than five of them. */
const MOST_STEPS = 4;

function isCircle({ run, unit }: PushState, name: string, target: string): boolean {
  let at: string | undefined = target;
  for (let step = 0; at !== undefined && step < MOST_STEPS; step += 1) {
    if (at === name) return true;
    at = targetOf(run.outside.item(unit, at));
  }
  return at !== undefined;
}
