import type { Carriage } from './carriage.js';
import { asInside, changedKeys, entriesOf, isForced, withKeys } from './config-carry.js';
import { writeRefs } from './private-refs.js';
import { MAX_CONFIG } from './push/config-push.js';
import { addToLog } from './push/connectivity.js';
import { keepBaseIndex } from './push/index-push.js';
import { SEEN_REAL } from './seen-real.js';
import { BaseChanges, type UnitBase } from './sides/base-log.js';
import { join } from './sides/refs.js';
import { configsOf, type Items, MAX_FILE, MAX_INDEX, wordFor } from './sides/snapshot.js';
import { isWhole, type Unit } from './sides/units.js';

const SKELETON = ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info', 'hooks'];
const SHARED_INDEX = /^sharedindex\.[0-9a-f]{40,64}$/;
const MAX_HOOK = 16 * 1024 * 1024;

export function alternatesOf(unit: string): string {
  return `${SEEN_REAL}/${join(unit, 'objects')}\n`;
}

/** Carries what the user did in one git folder to the private one: only to items that no command has changed. */
export class UnitPull {
  readonly #changes = new BaseChanges();
  readonly #base: UnitBase;
  readonly #isNew: boolean;

  /** `forced`: items in which the user's value counts as long as they are what they were when that was decided. */
  constructor(
    private readonly run: Carriage,
    private readonly unit: Unit,
    private readonly real: Items,
    private readonly forced: ReadonlyMap<string, string | undefined> = new Map(),
  ) {
    this.#isNew = !run.base.units.has(unit.path);
    this.#base = run.base.unit(unit);
  }

  carry(): void {
    const { run, unit } = this;
    if (this.#isNew) run.inside.tree.makeFolder(unit.path === '' ? '.' : unit.path);
    this.#prepare();
    const names = new Set([...this.real.keys(), ...this.#base.outside.keys()]);
    const changed = [...names].filter(
      (name) => this.forced.has(name) || this.real.get(name) !== this.#base.outside.get(name),
    );
    const wanted = changed.filter((name) => this.#isWanted(name));
    this.#rememberMoves(changed);
    this.#pullHeadAndIndex(wanted.filter((name) => name === 'HEAD' || name === 'index'));
    const refs = wanted.filter((name) => name.startsWith('refs/'));
    for (const name of writeRefs(run, unit, refs, this.real, this.#isNew))
      this.#taken(name, this.real.get(name));
    for (const name of wanted)
      if (!/^(?:HEAD|index|config|config\.worktree)$|^refs\//.test(name)) this.#pullFile(name);
    for (const name of configsOf(unit)) if (changed.includes(name)) this.#pullConfig(name);
    if (!this.#changes.isEmpty || this.#isNew) {
      run.changed = true;
      run.base.note(unit, this.#changes);
    }
  }

  /** What the user's own git has made a branch of is the user's, whoever made it. */
  #rememberMoves(changed: readonly string[]): void {
    if (this.#isNew || this.forced.size > 0) return;
    const tips = changed.flatMap((name) =>
      /^refs\/(?:heads|tags)\//.test(name) ? (this.real.get(name) ?? []) : [],
    );
    if (tips.length > 0) addToLog(this.run, { unit: this.unit.path, adopted: tips });
  }

  /** What lies around the items. */
  #prepare(): void {
    const { run, unit } = this;
    const { tree } = run.inside;
    if (isWhole(unit)) {
      if (this.#isNew) for (const folder of SKELETON) tree.makeFolder(join(unit.path, folder));
      const alternates = join(unit.path, 'objects/info/alternates');
      if (tree.read(alternates, MAX_CONFIG)?.toString() !== alternatesOf(unit.path))
        tree.write(alternates, alternatesOf(unit.path));
      this.#pullHooks();
    } else if (this.#isNew) this.#copy('commondir');
    for (const { name } of run.outside.tree.list(unit.path).filter((entry) => SHARED_INDEX.test(entry.name)))
      if (tree.stat(join(unit.path, name)) === undefined) this.#copy(name);
  }

  #copy(name: string): void {
    const path = join(this.unit.path, name);
    const [theirs, mine] = [this.run.outside.tree, this.run.inside.tree].map((tree) =>
      tree.read(path, MAX_INDEX),
    );
    if (theirs === undefined) this.run.inside.tree.remove(path);
    else if (mine === undefined || !mine.equals(theirs)) this.run.inside.tree.write(path, theirs);
  }

  /** The user's, whenever the user changed them; those of commands stay until then. */
  #pullHooks(): void {
    const { run, unit } = this;
    const folder = join(unit.path, 'hooks');
    const hooks = run.outside.tree
      .files(folder)
      .filter((path) => !path.endsWith('.sample'))
      .map((path) => ({
        path,
        bytes: run.outside.tree.read(path, MAX_HOOK),
        mode: run.outside.tree.stat(path)?.mode,
      }));
    const value = wordFor(
      'hooks',
      Buffer.from(
        hooks.map(({ path, bytes }) => `${path} ${wordFor('', bytes ?? Buffer.alloc(0))}`).join('\n'),
      ),
    );
    if (this.#base.outside.get('hooks') === value) return;
    run.inside.tree.removeFolder(folder);
    run.inside.tree.makeFolder(folder);
    for (const { path, bytes, mode } of hooks)
      if (bytes !== undefined)
        run.inside.tree.write(path, bytes, { mode: Number((mode ?? 0o755n) & 0o777n) });
    this.#changes.setOutside('hooks', value);
  }

  /** Whether the real value is to be written inside. What both changed keeps both bases: the next push sees it. */
  #isWanted(name: string): boolean {
    if (name === 'hooks') return false;
    const [now, real] = [this.run.inside.item(this.unit, name), this.real.get(name)];
    if (now === real) {
      if (name === 'index')
        keepBaseIndex(this.run.place.state, this.unit.path, this.run.real(this.unit.path, 'index'));
      this.#taken(name, real);
      return false;
    }
    if (this.forced.has(name)) return this.forced.get(name) === now;
    return now === this.#base.inside.get(name);
  }

  #taken(name: string, value: string | undefined): void {
    this.#changes.set(name, value, value);
  }

  #pullHeadAndIndex(names: readonly string[]): void {
    const { run, unit } = this;
    if (names.length === 0) return;
    const lock = join(unit.path, 'index.lock');
    const isLocked = run.options.isLive && !this.#isNew;
    if (isLocked && !run.inside.tree.create(lock, '')) {
      run.busy = true;
      return;
    }
    try {
      for (const name of names) {
        // Looked at before the lock was held: a command may have been faster.
        if (this.#isNew || this.#isWanted(name)) this.#write(name);
      }
    } finally {
      if (isLocked) run.inside.tree.remove(lock);
    }
  }

  #write(name: string): void {
    const { run, unit } = this;
    const path = join(unit.path, name);
    const real = this.real.get(name);
    if (name === 'HEAD') {
      if (real === undefined) return;
      run.inside.tree.write(path, `${real}\n`);
      this.#taken(name, real);
      return;
    }
    const stat = run.outside.tree.stat(path);
    const bytes = run.outside.tree.read(path, MAX_INDEX);
    if (run.outside.item(unit, name) !== real) {
      run.busy = true;
      return;
    }
    if (bytes === undefined || stat === undefined) run.inside.tree.remove(path);
    else run.inside.tree.write(path, bytes, { mtimeMs: Number(stat.mtimeMs) });
    keepBaseIndex(run.place.state, unit.path, bytes && run.real(unit.path, name));
    this.#changes.set(name, run.inside.item(unit, name), real);
  }

  #pullFile(name: string): void {
    const { run, unit } = this;
    const path = join(unit.path, name);
    const bytes = run.outside.tree.read(path, MAX_FILE);
    if (bytes === undefined) {
      run.inside.tree.remove(path);
      run.inside.tree.removeEmptyAbove(
        path,
        (folder) => !/(?:^|\/)(?:rebase-merge|rebase-apply|sequencer|logs\/refs\/.+\/.+)$/.test(folder),
      );
      this.#taken(name, undefined);
      return;
    }
    run.inside.tree.write(path, bytes);
    this.#taken(name, wordFor(name, bytes));
  }

  /** Only the keys that the user changed; commands keep the others as they have them. */
  #pullConfig(name: string): void {
    const { run, unit } = this;
    const path = join(unit.path, name);
    const theirs = run.outside.tree.read(path, MAX_CONFIG);
    const value = theirs && run.texts.keep(wordFor(name, theirs), theirs);
    if (this.#isNew || !this.#base.outside.has(name)) {
      if (theirs === undefined) return;
      const text = asInside(theirs);
      run.inside.tree.write(path, text);
      this.#changes.set(name, run.texts.keep(wordFor(name, text), text), value);
      return;
    }
    const lock = `${path}.lock`;
    if (!run.inside.tree.create(lock, '')) {
      run.busy = true;
      return;
    }
    try {
      this.#mergeConfig(name, path, theirs ?? Buffer.alloc(0));
      this.#changes.setOutside(name, value);
    } finally {
      run.inside.tree.remove(lock);
    }
  }

  #mergeConfig(name: string, path: string, theirs: Buffer): void {
    const { run } = this;
    const draft = `${run.place.state}/config.draft`;
    const text = (value: string | undefined): Buffer => (value && run.texts.read(value)) || Buffer.alloc(0);
    const old = entriesOf(text(this.#base.outside.get(name))) ?? [];
    const keys = new Map([...changedKeys(old, entriesOf(theirs) ?? [])].filter(([key]) => !isForced(key)));
    const mine = run.inside.tree.read(path, MAX_CONFIG) ?? Buffer.alloc(0);
    const merged = withKeys(mine, keys, draft);
    const before = text(this.#base.inside.get(name));
    const known = mine.equals(before) ? merged : withKeys(before, keys, draft);
    run.inside.tree.write(path, merged);
    this.#changes.setInside(name, run.texts.keep(wordFor(name, known), known));
  }
}
