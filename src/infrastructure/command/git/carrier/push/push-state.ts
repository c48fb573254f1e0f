import type { Carriage } from '../carriage.js';
import { targetOf } from '../rules/ref-names.js';
import { BaseChanges, type UnitBase } from '../sides/base-log.js';
import type { Items } from '../sides/snapshot.js';
import { isWhole, type Unit } from '../sides/units.js';

const MAX_POINTER = 8_192;

/** Commits that the real side did not have in any ref. */
export interface NewCommits {
  /** All that they stand for is in the real store. */
  readonly isWhole: boolean;
  /** With their parents. */
  readonly list: ReadonlyMap<string, readonly string[]>;
}

/** What worktrees share. */
const SHARED =
  /^(?:refs\/(?!bisect\/|worktree\/|rewritten\/)|logs\/refs\/|config$|shallow$|info\/|rr-cache\/)/;

/** What is to be carried of one git folder, what was decided about it, and what is then known of both sides. */
export class PushState {
  readonly changes = new BaseChanges();
  /** Items in which the user's value is to be taken inside, with what was there when that was decided. */
  readonly taken = new Map<string, string | undefined>();
  readonly base: UnitBase;
  readonly changed: readonly string[];
  commits: NewCommits = { isWhole: true, list: new Map() };

  constructor(
    readonly run: Carriage,
    readonly unit: Unit,
    readonly now: Items,
  ) {
    this.base = run.base.unit(unit);
    const names = new Set([...now.keys(), ...this.base.inside.keys()]);
    this.changed = [...names].filter(
      (name) => now.get(name) !== this.base.inside.get(name) && this.#isOurs(name),
    );
  }

  /** Where the user's value is to be taken. */
  take(name: string): void {
    this.taken.set(name, this.now.get(name));
  }

  /** The user's value stays, and is taken inside as well. */
  yield(name: string): void {
    this.take(name);
    if (name.startsWith('refs/')) this.take(`logs/${name}`);
    if (name === targetOf(this.run.outside.item(this.unit, 'HEAD'))) {
      this.take('index');
      this.take('logs/HEAD');
    }
  }

  label(item: string): string {
    return this.unit.path === '' ? item : `${this.unit.path}/${item}`;
  }

  /** In a linked worktree everything that only another one has is not for its commands to change. */
  #isOurs(name: string): boolean {
    const { only, workspace } = this.run.place;
    if (only === undefined || this.unit.path === only) return true;
    if (!isWhole(this.unit))
      return (
        this.run.inside.tree
          .read(this.label('gitdir'), MAX_POINTER)
          ?.toString()
          .startsWith(`${workspace}/`) === true
      );
    return SHARED.test(name);
  }
}
