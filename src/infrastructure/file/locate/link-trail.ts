import type { FileAccess } from '../../../application/ports/file/safe-file-system.js';
import { FileFault, faultKindOf } from '../file-fault.js';
import { isKernelPath, type Permission, permits } from './path-locator.js';

const MAX_LINKS = 40;
const MAX_RETRIES = 100;

/**
 * The names still to be looked up while a path is walked, and what may be said about where links led.
 * A folder that stays part of the final path is judged with it. What does not stay, a second link or a folder
 * that `..` leaves again, is judged by itself, so that no answer depends on what may not be seen.
 */
export class LinkTrail {
  #pending: string[];
  #entered: string[] = [];
  /** The name being looked up, so that a failure can be judged by its whole path. */
  #current: string | undefined;
  #links = 0;
  #retries = 0;
  readonly #asked: string;

  constructor(
    path: string,
    private readonly permission: Permission,
    private readonly access: FileAccess,
  ) {
    this.#asked = path;
    this.#pending = namesOf(path).reverse();
  }

  get atEnd(): boolean {
    return this.#pending.length === 0;
  }

  next(): string | undefined {
    this.#current = this.#pending.pop();
    return this.#current;
  }

  enter(name: string): void {
    this.#current = undefined;
    this.#entered.push(name);
  }

  retry(name: string): void {
    this.#retries += 1;
    if (this.#retries > MAX_RETRIES) throw new FileFault('busy');
    this.#current = undefined;
    this.#pending.push(name);
  }

  /** Continues at a link's target; true: from the top of the file system. */
  follow(name: string, target: string): boolean {
    const link = this.#pathTo(name);
    // The links of /proc lead to more than their text says.
    if (isKernelPath(link)) throw new FileFault('special-file');
    if (this.#links > 0) this.#mustBeSeen(link);
    this.#links += 1;
    if (this.#links > MAX_LINKS) throw new FileFault('too-many-links');
    const names = namesOf(target);
    const absolute = target.startsWith('/');
    const base = absolute ? [] : [...this.#entered];
    const climbs = names.includes('..');
    const route = climbs ? this.#climb(base, names) : [...base, ...names];
    // Without `..` a relative target goes on from where we are; everything else starts at the top again.
    const restart = absolute || climbs;
    this.#current = undefined;
    const ahead = restart ? route : names;
    if (restart) this.#entered = [];
    for (const step of ahead.reverse()) this.#pending.push(step);
    return restart;
  }

  /** The last check: the real path itself must be allowed. */
  finish(name: string): void {
    const real = this.#pathTo(name);
    if (isKernelPath(real)) throw new FileFault('special-file');
    if (!permits(real, this.permission, this.access)) {
      throw new FileFault(real === this.#asked ? 'denied' : 'outside');
    }
  }

  /** Beyond a link, only what may be seen may be told apart: the rest is all "outside". */
  explain(error: unknown): unknown {
    if (this.#links === 0 || faultKindOf(error) === undefined) return error;
    const current = this.#current === undefined ? [] : [this.#current];
    const whole = [...this.#entered, ...current, ...[...this.#pending].reverse()];
    return this.#maySee(`/${whole.join('/')}`) ? error : new FileFault('outside');
  }

  /**
   * `..` leads to the folder above only if what it leaves is a folder and not a link. Targets that climb out of
   * a name they entered themselves are too clever to be honest; those that climb first are ordinary.
   */
  #climb(base: readonly string[], names: readonly string[]): string[] {
    const route = [...base];
    let entered = 0;
    for (const name of names) {
      if (name !== '..') {
        route.push(name);
        entered += 1;
      } else {
        if (entered > 0) throw new FileFault('outside');
        route.pop();
      }
    }
    return route;
  }

  #pathTo(name: string): string {
    const path = `/${this.#entered.join('/')}`;
    if (name === '') return path;
    return path === '/' ? `/${name}` : `${path}/${name}`;
  }

  #mustBeSeen(path: string): void {
    if (!this.#maySee(path)) throw new FileFault('outside');
  }

  #maySee(path: string): boolean {
    return this.access.guard.mayRead(path) || this.access.guard.mayWrite(path);
  }
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}
