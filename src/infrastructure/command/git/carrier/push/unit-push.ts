import type { Carriage } from '../carriage.js';
import { OBJECT_NAME, targetOf } from '../rules/ref-names.js';
import { isPassing, passing } from '../rules/state-rules.js';
import { type Items, MAX_FILE, wordFor } from '../sides/snapshot.js';
import { isWhole, type Unit } from '../sides/units.js';
import { pushConfig } from './config-push.js';
import { isConnected, rememberPassed } from './connectivity.js';
import { type JudgedIndex, judgeNewIndex, pushIndex } from './index-push.js';
import { pushLog, tidyLogs } from './log-push.js';
import { pointsInside } from './made-units.js';
import { PushState } from './push-state.js';
import { pushRefs } from './ref-push.js';

const LOCK_WAIT_MS = 2_000;
/** Carries what a command did in one git folder to the real one. */
export class UnitPush extends PushState {
  constructor(
    run: Carriage,
    unit: Unit,
    now: Items,
    private readonly indexBytes: Buffer | undefined,
  ) {
    super(run, unit, now);
  }

  carry(): void {
    if (isWhole(this.unit)) this.#tellHooks();
    if (this.changed.length === 0) return;
    const index = this.changed.includes('index') ? judgeNewIndex(this, this.indexBytes) : undefined;
    const tips = this.changed.flatMap((name) => this.#tip(name) ?? []);
    this.commits = isConnected(this, tips);
    if (!this.commits.isWhole)
      this.run.note(`${this.label('refs')}: not all of their objects are there, so they stay inside.`);
    rememberPassed(this);
    const real = this.run.real(this.unit.path, 'index');
    const needsLock = this.changed.some((name) => !/^(?:refs|logs)\/|^config/.test(name));
    if (needsLock && !this.run.locks.take(real, LOCK_WAIT_MS)) {
      this.run.busy = true;
      return;
    }
    try {
      this.#carryLocked(index);
    } finally {
      if (needsLock) this.run.locks.release(real);
    }
    for (const name of this.changed.filter((one) => one.startsWith('logs/') && !this.taken.has(one)))
      pushLog(this, name);
    tidyLogs(this);
    for (const name of this.changed.filter((one) => one.startsWith('config'))) pushConfig(this, name);
    this.run.changed = true;
    this.run.base.note(this.unit, this.changes);
  }

  #carryLocked(index: JudgedIndex | undefined): void {
    pushRefs(
      this,
      this.changed.filter((name) => name.startsWith('refs/')),
    );
    if (this.changed.includes('HEAD')) this.#pushHead();
    if (index !== undefined && !this.taken.has('index')) pushIndex(this, index);
    for (const name of this.changed)
      if (!/^(?:refs|logs)\/|^config|^(?:HEAD|index)$/.test(name) && !this.taken.has(name))
        this.#pushFile(name);
  }

  #tip(name: string): string | undefined {
    const value = name === 'HEAD' || name.startsWith('refs/') ? this.now.get(name) : undefined;
    return value !== undefined && OBJECT_NAME.test(value) ? value : undefined;
  }

  #pushHead(): void {
    const { run, unit } = this;
    const [value, real] = [this.now.get('HEAD') ?? '', run.outside.item(unit, 'HEAD')];
    if (value === real) {
      this.changes.set('HEAD', value, value);
      return;
    }
    const isDetached = OBJECT_NAME.test(value);
    if (real !== this.base.outside.get('HEAD')) {
      this.#headConflict(isDetached && this.commits.isWhole ? value : undefined);
      return;
    }
    if (!(isDetached ? this.commits.isWhole : this.#isBranch(targetOf(value)))) {
      run.note(`${this.label('HEAD')} is not one that git would write; the user's stays.`);
      this.take('HEAD');
      return;
    }
    const path = run.real(unit.path, 'HEAD');
    if (!run.locks.take(path, LOCK_WAIT_MS)) {
      run.busy = true;
      return;
    }
    try {
      if (run.outside.item(unit, 'HEAD') !== real) {
        run.busy = true;
        return;
      }
      run.outside.tree.write(this.label('HEAD'), `${value}\n`);
      this.changes.set('HEAD', value, value);
    } finally {
      run.locks.release(path);
    }
  }

  /** One that passed, or is yet to be born. */
  #isBranch(target: string | undefined): boolean {
    if (target === undefined) return false;
    const isHeldBack = this.now.has(target) && this.run.outside.item(this.unit, target) === undefined;
    return !isHeldBack;
  }

  #headConflict(commit: string | undefined): void {
    for (const name of ['HEAD', 'index', 'logs/HEAD']) this.take(name);
    const kept = commit && `refs/airlock/HEAD-${commit.slice(0, 12)}`;
    if (commit !== undefined && kept !== undefined) pushRefs(this, [], [`update ${kept} ${commit}`]);
    this.run.conflict({ unit: this.unit.path, item: 'HEAD', ...(kept !== undefined && { kept }) });
  }

  #pushFile(name: string): void {
    const { run, unit, base } = this;
    const path = this.label(name);
    const [value, real, before] = [this.now.get(name), run.outside.item(unit, name), base.outside.get(name)];
    if (value === undefined) {
      if (real !== before) {
        this.take(name);
        return;
      }
      run.outside.tree.remove(path);
      run.outside.tree.removeEmptyAbove(
        path,
        (folder) => !/(?:^|\/)(?:rebase-merge|rebase-apply|sequencer|rr-cache\/.+)$/.test(folder),
      );
      this.changes.set(name, undefined, undefined);
      return;
    }
    const bytes = run.inside.tree.read(path, MAX_FILE);
    // Gone or changed since: the next run sees it.
    if (bytes === undefined || wordFor(name, bytes) !== value) {
      run.busy = true;
      return;
    }
    if (real !== before && real !== value) {
      if (!isPassing(name)) run.conflict({ unit: unit.path, item: name });
      this.take(name);
      return;
    }
    const isAstray = name === 'gitdir' && !pointsInside(run, bytes.toString('utf8').trim());
    const passed = isAstray ? undefined : passing(name, bytes);
    if (passed === undefined) {
      run.staysInside(path);
      this.changes.setInside(name, value);
      return;
    }
    if (!passed.equals(bytes)) run.staysInside(`exec lines in ${path}`);
    run.outside.tree.write(path, passed);
    this.changes.set(name, value, wordFor(name, passed));
  }

  /** Hooks of commands run for commands only. */
  #tellHooks(): void {
    const { inside, outside } = this.run;
    for (const entry of inside.tree.list(this.label('hooks'))) {
      const name = `hooks/${entry.name}`;
      if (!entry.isFile() || name.endsWith('.sample')) continue;
      if (inside.item(this.unit, name) !== outside.item(this.unit, name))
        this.run.staysInside(this.label(name));
    }
  }
}
