import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { Items } from './snapshot.js';
import type { Unit } from './units.js';

/** What both sides of a unit were at the last sync. They differ where something is held back. */
export interface UnitBase {
  readonly unit: Unit;
  readonly inside: Items;
  readonly outside: Items;
}

/** One change of the base; null: the item is not there. */
interface BaseLine {
  readonly real?: string;
  readonly unit?: Unit;
  readonly gone?: string;
  readonly told?: string;
  readonly inside?: Readonly<Record<string, string | null>>;
  readonly outside?: Readonly<Record<string, string | null>>;
}

const MOST_LINES = 2_000;

/**
 * The two bases of every item, kept in a file to which changes are added. A base only ever becomes what was read, or
 * what was written: never a fresh look, which would take for known what somebody did meanwhile.
 */
export class BaseLog {
  readonly units = new Map<string, UnitBase>();
  readonly told = new Set<string>();
  /** Which folder the real side is. */
  real: string | undefined;
  #lines = 0;
  #stamp: string | undefined;

  constructor(private readonly file: string) {}

  /** Reads it again where another server has written meanwhile. */
  refresh(): void {
    const stamp = this.#stampNow();
    if (stamp === this.#stamp) return;
    this.units.clear();
    this.told.clear();
    this.real = undefined;
    const lines = existsSync(this.file) ? readFileSync(this.file, 'utf8').split('\n') : [];
    for (const line of lines) this.#take(line);
    this.#lines = lines.length;
    this.#stamp = stamp;
    if (this.#lines > MOST_LINES) this.#compact();
  }

  begin(real: string): void {
    this.units.clear();
    this.told.clear();
    rmSync(this.file, { force: true });
    this.#stamp = undefined;
    this.#lines = 0;
    this.#add({ real });
    this.real = real;
  }

  unit(unit: Unit): UnitBase {
    const known = this.units.get(unit.path);
    if (known !== undefined) return known;
    const base = { unit, inside: new Map(), outside: new Map() };
    this.units.set(unit.path, base);
    return base;
  }

  /** Notes items of a unit that were carried. */
  note(unit: Unit, changes: BaseChanges): void {
    const base = this.unit(unit);
    if (changes.isEmpty && this.units.has(unit.path)) return;
    merge(base.inside, changes.inside);
    merge(base.outside, changes.outside);
    this.#add({
      unit,
      inside: Object.fromEntries(changes.inside),
      outside: Object.fromEntries(changes.outside),
    });
  }

  drop(path: string): void {
    this.units.delete(path);
    this.#add({ gone: path });
  }

  /** Whether this is said for the first time. */
  tell(what: string): boolean {
    if (this.told.has(what)) return false;
    this.told.add(what);
    this.#add({ told: what });
    return true;
  }

  #take(text: string): void {
    let line: BaseLine;
    try {
      line = JSON.parse(text);
    } catch {
      // Cut short when its writer was killed: what it was about is found to be equal on both sides.
      return;
    }
    if (line.real !== undefined) this.real = line.real;
    if (line.gone !== undefined) this.units.delete(line.gone);
    if (line.told !== undefined) this.told.add(line.told);
    if (line.unit === undefined) return;
    const base = this.unit(line.unit);
    merge(base.inside, new Map(Object.entries(line.inside ?? {})));
    merge(base.outside, new Map(Object.entries(line.outside ?? {})));
  }

  #add(line: BaseLine): void {
    // A line that was cut short before must not swallow this one.
    appendFileSync(this.file, `\n${JSON.stringify(line)}`);
    this.#lines += 1;
    this.#stamp = this.#stampNow();
  }

  #compact(): void {
    const lines: BaseLine[] = [
      { real: this.real ?? '' },
      ...[...this.told].map((told) => ({ told })),
      ...[...this.units.values()].map(({ unit, inside, outside }) => ({
        unit,
        inside: Object.fromEntries(inside),
        outside: Object.fromEntries(outside),
      })),
    ];
    writeFileSync(`${this.file}.new`, lines.map((line) => JSON.stringify(line)).join('\n'));
    renameSync(`${this.file}.new`, this.file);
    this.#lines = lines.length;
    this.#stamp = this.#stampNow();
  }

  #stampNow(): string {
    const stat = statSync(this.file, { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? '' : `${stat.ino}.${stat.size}.${stat.mtimeNs}`;
  }
}

/** What is to be noted of a unit. */
export class BaseChanges {
  readonly inside = new Map<string, string | null>();
  readonly outside = new Map<string, string | null>();

  get isEmpty(): boolean {
    return this.inside.size === 0 && this.outside.size === 0;
  }

  set(name: string, inside: string | undefined, outside: string | undefined): void {
    this.setInside(name, inside);
    this.setOutside(name, outside);
  }

  setInside(name: string, value: string | undefined): void {
    this.inside.set(name, value ?? null);
  }

  setOutside(name: string, value: string | undefined): void {
    this.outside.set(name, value ?? null);
  }
}

function merge(items: Items, changes: ReadonlyMap<string, string | null>): void {
  for (const [name, value] of changes) {
    if (value === null) items.delete(name);
    else items.set(name, value);
  }
}
