import { cpSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { Carriage } from './carriage.js';
import type { AirlockPlace, CarryOptions, CarryReport } from './carrier-messages.js';
import { MAX_CONFIG } from './push/config-push.js';
import { isPromised } from './push/connectivity.js';
import { makeGitFolder, makeUnit, makeWorktree, noteMade } from './push/made-units.js';
import { ObjectCarrier } from './push/objects.js';
import { UnitPush } from './push/unit-push.js';
import { BaseLog } from './sides/base-log.js';
import { codeOf } from './sides/file-steps.js';
import { HeldLocks } from './sides/held-locks.js';
import { HeldTree } from './sides/held-tree.js';
import { isPackedText, join } from './sides/refs.js';
import { type Items, MAX_INDEX, Side } from './sides/snapshot.js';
import { isWhole, type Unit, unitsOf } from './sides/units.js';
import { alternatesOf, UnitPull } from './unit-pull.js';

const MAX_PACKED = 256 * 1024 * 1024;
const FOLDERS = ['refs', 'refs/heads', 'objects', 'objects/info', 'objects/pack', 'logs', 'info'];
const FILES = ['HEAD', 'index', 'packed-refs', 'config', 'logs/HEAD'];
const HEAD = /^(?:ref: refs\/\S+|[0-9a-f]{40}|[0-9a-f]{64})$/;

const REPLACED =
  'The git folder of the workspace is another one than before. What commands had not passed on yet is kept aside.';

interface SeenUnit {
  readonly unit: Unit;
  readonly now: Items;
  readonly index: Buffer | undefined;
}

/** Carries data between a real git folder and the private one of commands. */
export class Carrier {
  readonly #base: BaseLog;
  readonly #locks: HeldLocks;
  #outside: Side | undefined;
  #inside: Side | undefined;

  constructor(private readonly place: AirlockPlace) {
    mkdirSync(place.state, { recursive: true });
    this.#base = new BaseLog(`${place.state}/base.jsonl`);
    this.#locks = new HeldLocks(`${place.state}/journal`);
    this.#locks.recover();
  }

  /** What commands did goes out, then what the user did comes in. */
  sync(options: CarryOptions): CarryReport {
    const run = this.#begin(options);
    this.#push(run);
    this.#pull(run);
    return run.report();
  }

  /** A git folder that a command made: it becomes the private one, and a clean one takes its place. */
  adopt(options: CarryOptions): CarryReport {
    const { real, private: inside } = this.place;
    this.close();
    if (existsSync(inside)) this.#setAside();
    moveFolder(real, inside);
    const config = readFileIn(inside, 'config');
    makeGitFolder(real, /^\s*objectformat\s*=\s*"?sha256/im.test(config));
    this.#base.begin(identityOf(real));
    const run = this.#begin(options);
    noteMade(run, { path: '', kind: 'main', common: '' });
    run.inside.tree.write('objects/info/alternates', alternatesOf(''));
    this.#push(run);
    this.#pull(run);
    return run.report();
  }

  close(): void {
    this.#outside?.tree.close();
    this.#inside?.tree.close();
    this.#outside = undefined;
    this.#inside = undefined;
  }

  #begin(options: CarryOptions): Carriage {
    const { real, private: inside } = this.place;
    this.#base.refresh();
    if (this.#inside?.tree.isThere === false) this.close();
    const notes: string[] = [];
    const isOther = this.#base.real !== identityOf(real);
    if (isOther && this.#base.real !== undefined && existsSync(inside)) notes.push(REPLACED);
    if (isOther || !existsSync(inside)) this.#start();
    const broken = this.#base.units.has('') ? brokenPart(this.#open().inside) : undefined;
    if (broken !== undefined) {
      notes.push(
        `The git folder was destroyed inside the sandbox (${broken}). The repository is as it was before; commands get a fresh copy of it.`,
      );
      this.#start();
    }
    const sides = this.#open();
    const run = new Carriage(this.place, sides.inside, sides.outside, this.#base, this.#locks, options);
    for (const note of notes) run.note(note);
    return run;
  }

  #open(): { readonly inside: Side; readonly outside: Side } {
    this.#outside ??= new Side(new HeldTree(this.place.real));
    this.#inside ??= new Side(new HeldTree(this.place.private));
    return { inside: this.#inside, outside: this.#outside };
  }

  #start(): void {
    this.close();
    if (existsSync(this.place.private)) this.#setAside();
    mkdirSync(this.place.private);
    this.#base.begin(identityOf(this.place.real));
  }

  #setAside(): void {
    this.close();
    mkdirSync(`${this.place.state}/aside`, { recursive: true });
    renameSync(this.place.private, `${this.place.state}/aside/${Date.now()}`);
  }

  #pull(run: Carriage): void {
    const units = unitsOf(run.outside.tree);
    for (const unit of units) new UnitPull(run, unit, run.outside.items(unit)).carry();
    const seen = new Set(units.map(({ path }) => path));
    for (const [path, { unit, inside }] of run.base.units) {
      if (seen.has(path)) continue;
      // The user removed it: what no command has changed goes inside as well.
      const now = run.inside.items(unit);
      if (['HEAD', 'index'].every((name) => now.get(name) === inside.get(name)))
        run.inside.tree.removeFolder(path);
      run.base.drop(path);
    }
  }

  #push(run: Carriage): void {
    if (!run.base.units.has('')) return;
    if (run.options.isLive && run.inside.tree.stat('index.lock') !== undefined) {
      run.busy = true;
      return;
    }
    // First what names objects, then the objects: git writes them the other way round.
    const seen = unitsOf(run.inside.tree).map((unit) => this.#look(run, unit));
    for (const { unit } of seen) this.#carryObjects(run, unit);
    for (const { unit, now, index } of seen) {
      if (unit.kind === 'worktree' && !makeWorktree(run, unit)) continue;
      const push = new UnitPush(run, unit, now, index);
      push.carry();
      if (push.taken.size > 0) new UnitPull(run, unit, this.#takenItems(run, push), push.taken).carry();
    }
    this.#dropRemoved(run, new Set(seen.map(({ unit }) => unit.path)));
  }

  /** As they are outside, of those items alone. */
  #takenItems(run: Carriage, { unit, taken, base }: UnitPush): Items {
    const items: Items = new Map(base.outside);
    for (const name of taken.keys()) {
      const value = run.outside.item(unit, name);
      if (value === undefined) items.delete(name);
      else items.set(name, value);
    }
    return items;
  }

  #look(run: Carriage, unit: Unit): SeenUnit {
    const now = run.inside.items(unit);
    if (now.get('index') === run.base.units.get(unit.path)?.inside.get('index'))
      return { unit, now, index: undefined };
    const index = run.inside.tree.read(join(unit.path, 'index'), MAX_INDEX);
    const value = run.inside.item(unit, 'index');
    if (value === undefined) now.delete('index');
    else now.set('index', value);
    return { unit, now, index };
  }

  #carryObjects(run: Carriage, unit: Unit): void {
    if (!isWhole(unit)) return;
    makeUnit(run, unit);
    const config = run.outside.tree.read(join(unit.path, 'config'), MAX_CONFIG)?.toString() ?? '';
    const alternates = run.inside.tree
      .read(join(unit.path, 'objects/info/alternates'), MAX_CONFIG)
      ?.toString();
    const objects = new ObjectCarrier(run.inside.tree, this.place.real, isPromised(config));
    for (const note of objects.carry(unit.path, alternates === alternatesOf(unit.path))) run.note(note);
  }

  /** A worktree that commands removed goes; the history of a submodule stays. */
  #dropRemoved(run: Carriage, seen: ReadonlySet<string>): void {
    for (const [path, { unit, outside }] of run.base.units) {
      if (seen.has(path) || path === '') continue;
      const { only } = this.place;
      if (unit.kind !== 'worktree')
        run.note(`The folder of the submodule ${path} was removed inside; the real one is kept.`);
      else if (only === undefined && run.outside.item(unit, 'HEAD') === outside.get('HEAD')) {
        run.outside.tree.removeFolder(path);
        run.outside.tree.removeEmptyAbove(path, (folder) => !folder.endsWith('worktrees'));
      }
      run.base.drop(path);
      run.changed = true;
    }
  }
}

/** In one step where both lie on one disk. */
function moveFolder(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error;
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    rmSync(from, { recursive: true, force: true });
  }
}

function readFileIn(folder: string, name: string): string {
  const tree = new HeldTree(folder);
  try {
    return tree.read(name, MAX_CONFIG)?.toString('latin1') ?? '';
  } finally {
    tree.close();
  }
}

function identityOf(folder: string): string {
  const { dev, ino } = statSync(folder, { bigint: true });
  return `${dev}.${ino}`;
}

/** What git would not have left so; undefined: it is a repository. */
function brokenPart({ tree }: Side): string | undefined {
  const folder = FOLDERS.find((name) => tree.stat(name)?.isDirectory() === false);
  const file = FILES.find((name) => tree.stat(name)?.isFile() === false);
  if (folder !== undefined || file !== undefined) return `${folder ?? file} is something else`;
  const missing = ['refs', 'objects'].find((name) => !tree.isFolder(name));
  if (missing !== undefined) return `${missing} is missing`;
  if (!HEAD.test(tree.read('HEAD', MAX_CONFIG)?.toString('utf8').trim() ?? '')) return 'HEAD names nothing';
  if (tree.read('objects/info/alternates', MAX_CONFIG)?.toString() !== alternatesOf(''))
    return 'it is another repository';
  return isPackedText(tree.read('packed-refs', MAX_PACKED)?.toString('utf8') ?? '')
    ? undefined
    : 'packed-refs is not as git writes it';
}
