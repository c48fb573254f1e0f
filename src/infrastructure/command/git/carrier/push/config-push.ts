import { changedKeys, type Entries, entriesOf, grouped, withKeys } from '../config-carry.js';
import { type ConfigPlace, looseKey, settingPasses, worksIn } from '../rules/config-rules.js';
import { wordFor } from '../sides/snapshot.js';
import type { PushState } from './push-state.js';

export const MAX_CONFIG = 4 * 1024 * 1024;
const LOCK_WAIT_MS = 1_000;
const TRIES = 3;
/** Without these git would take the repository for one of another kind. */
const ESSENTIAL = /^(?:extensions\.|core\.repositoryformatversion$)/;

/** Carries the harmless ones of the settings that a command changed. */
export function pushConfig(push: PushState, name: string): void {
  const { run, now } = push;
  const mine = run.inside.tree.read(push.label(name), MAX_CONFIG);
  if (wordFor(name, mine ?? Buffer.alloc(0)) !== (now.get(name) ?? wordFor(name, Buffer.alloc(0)))) {
    run.busy = true;
    return;
  }
  // Whoever removes the whole file means no key of it: commands get it again.
  if (mine === undefined && name === 'config') {
    push.changes.set(name, undefined, undefined);
    return;
  }
  const [before, after] = [entriesOf(insideText(push, name)), entriesOf(mine)];
  if (after === undefined) {
    run.staysInside(`${push.label(name)}, which git cannot read`);
    push.changes.setInside(name, now.get(name));
    return;
  }
  // Emptied, half written or another one in its place: the keys that are missing were not unset by anybody.
  if (hasFormat(before ?? []) && !hasFormat(after)) {
    run.staysInside(`${push.label(name)}, which is not the one that git made`);
    push.changes.setInside(name, now.get(name));
    return;
  }
  for (let tries = 0; tries < TRIES; tries += 1)
    if (attempt(push, name, before ?? [], after)) {
      keep(push, name, mine);
      return;
    }
  run.busy = true;
}

function hasFormat(entries: Entries): boolean {
  return entries.some(([key]) => key === 'core.repositoryformatversion');
}

function attempt(push: PushState, name: string, before: Entries, after: Entries): boolean {
  const { run } = push;
  const path = push.label(name);
  const was = run.outside.tree.read(path, MAX_CONFIG) ?? Buffer.alloc(0);
  const old = entriesOf(was) ?? [];
  const changes = passingChanges(push, name, before, after, old);
  if (changes.size === 0) return true;
  const text = withKeys(was, changes, `${run.place.state}/config.draft`);
  const real = run.real(push.unit.path, name);
  if (!run.locks.take(real, LOCK_WAIT_MS)) return false;
  try {
    if (!(run.outside.tree.read(path, MAX_CONFIG) ?? Buffer.alloc(0)).equals(was)) return false;
    const value = wordFor(name, was);
    run.outside.tree.write(path, text, modeOf(push, path));
    for (const sentence of movedAddresses(grouped(old), changes)) run.note(sentence);
    // What the user changed since the last sync is still to be taken.
    if (value === (push.base.outside.get(name) ?? wordFor(name, Buffer.alloc(0))))
      push.changes.setOutside(name, run.texts.keep(wordFor(name, text), text));
    return true;
  } finally {
    run.locks.release(real);
  }
}

function passingChanges(
  push: PushState,
  name: string,
  before: Entries,
  after: Entries,
  old: Entries,
): ReadonlyMap<string, readonly string[]> {
  const { run, unit } = push;
  const there = grouped(old);
  const place: ConfigPlace = {
    known: new Set(
      [...old, ...mainEntries(push)].filter(([key]) => /url$/i.test(key)).map(([, value]) => value),
    ),
    mayWorkIn: unit.kind === 'module' ? worksIn(run.place.workspace, run.real(unit.path)) : undefined,
  };
  const was = grouped(before);
  const known = outsideText(push, name);
  const users = known === undefined ? new Map() : changedKeys(entriesOf(known) ?? [], old);
  const passes = new Map<string, readonly string[]>();
  for (const [key, values] of changedKeys(before, after)) {
    if ((there.get(key) ?? []).join('\0') === values.join('\0') && (values.length > 0 || !there.has(key)))
      continue;
    if (users.has(key)) {
      run.conflict({ unit: unit.path, item: `${name}: ${key}` });
      continue;
    }
    const judged = values.length > 0 ? values : (was.get(key) ?? []);
    const isKept = values.length === 0 && ESSENTIAL.test(key);
    if (!isKept && judged.every((value) => settingPasses(key, value, place))) passes.set(key, values);
    else run.staysInside(`${push.label(name)}: ${key}`);
  }
  holdLoose(push, name, passes, old);
  return passes;
}

/** A remote without an address is a path to git: what would make one stays inside. */
function holdLoose(
  push: PushState,
  name: string,
  passes: Map<string, readonly string[]>,
  old: Entries,
): void {
  const after = (): Entries => [
    ...old.filter(([key]) => !passes.has(key)),
    ...[...passes].flatMap(([key, values]) => values.map((value) => [key, value] as const)),
  ];
  for (let loose = looseKey(old, after()); loose !== undefined; loose = looseKey(old, after())) {
    // Set where there is no address, or the address was taken from under it.
    const held = passes.has(loose.key) ? loose.key : `remote.${loose.remote}.url`;
    if (!passes.delete(held)) return;
    push.run.staysInside(`${push.label(name)}: ${held}`);
  }
}

/** Remotes that were there and have another address now. */
function movedAddresses(
  before: ReadonlyMap<string, readonly string[]>,
  changes: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  return [...changes].flatMap(([key, values]) => {
    const old = /^remote\..*\.(?:url|pushurl)$/s.test(key) ? before.get(key) : undefined;
    return old === undefined || values.length === 0
      ? []
      : [`${key} was ${old.join(', ')} and is ${values.join(', ')} now.`];
  });
}

/** What the user has said in the repository around a submodule. */
function mainEntries({ run, unit }: PushState): Entries {
  return unit.path === '' ? [] : (entriesOf(run.outside.tree.read('config', MAX_CONFIG)) ?? []);
}

function modeOf({ run }: PushState, path: string): { readonly mode?: number } {
  const stat = run.outside.tree.stat(path);
  return stat === undefined ? {} : { mode: Number(stat.mode & 0o777n) };
}

/** The text that was inside at the last sync. */
function insideText({ run, base }: PushState, name: string): Buffer | undefined {
  const value = base.inside.get(name);
  return value === undefined ? undefined : run.texts.read(value);
}

/** The user's at the last sync. */
function outsideText({ run, base }: PushState, name: string): Buffer | undefined {
  const value = base.outside.get(name);
  return value === undefined ? undefined : run.texts.read(value);
}

/** Remembers what was inside when it was carried. */
function keep(push: PushState, name: string, text: Buffer | undefined): void {
  push.changes.setInside(name, text && push.run.texts.keep(wordFor(name, text), text));
}
