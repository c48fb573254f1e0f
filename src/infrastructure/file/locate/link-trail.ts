import type { FileAccess } from '../../../application/ports/file/safe-file-system.js';
import { FileFault, faultKindOf } from '../file-fault.js';
import { isKernelPath, type Permission, permits } from './path-locator.js';

const MAX_LINKS = 40;
const MAX_RETRIES = 100;

/**
 * The remaining names while a path is walked, and what may be revealed about link targets. Directories that
 * are part of the final path are checked with it. Others, such as a second link or a directory that `..`
 * leaves again, are checked separately, so that no answer depends on what may not be seen.
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

  /** Continues at a link's target; returns true if it starts at the root. */
  follow(name: string, target: string): boolean {
    const link = this.#pathTo(name);
    // Links in /proc lead to other objects than their text says.
    if (isKernelPath(link)) throw new FileFault('special-file');
    if (this.#links > 0) this.#mustBeSeen(link);
    this.#links += 1;
    if (this.#links > MAX_LINKS) throw new FileFault('too-many-links');
    const names = namesOf(target);
    const absolute = target.startsWith('/');
    const base = absolute ? [] : [...this.#entered];
    const climbs = names.includes('..');
    const route = climbs ? this.#climb(base, names) : [...base, ...names];
    // Without `..` a relative target continues from the current directory; everything else starts at the root
    // again.
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

  /** After a link, failures are distinguished only for visible paths: all others are "outside". */
  explain(error: unknown): unknown {
    if (this.#links === 0 || faultKindOf(error) === undefined) return error;
    const current = this.#current === undefined ? [] : [this.#current];
    const whole = [...this.#entered, ...current, ...[...this.#pending].reverse()];
    return this.#maySee(`/${whole.join('/')}`) ? error : new FileFault('outside');
  }

  /**
   * `..` leads to the parent only if the directory left is not a link. Targets that leave a directory they
   * entered themselves are refused; those that begin with `..` are ordinary.
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
