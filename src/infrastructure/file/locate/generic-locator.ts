import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync, type Stats } from 'node:fs';
import type { FileAccess } from '../../../application/ports/file/safe-file-system.js';
import { errnoOf } from '../../state/errno.js';
import { belowAFile, FileFault } from '../file-fault.js';
import {
  entryOf,
  type Held,
  isKernelPath,
  joinReal,
  nameOf,
  type PathLocator,
  type Permission,
  type Place,
  parentOf,
  permits,
} from './path-locator.js';

/** Refuses a link anywhere in a path, not only at its end. */
const NO_LINK_ANYWHERE: Readonly<Record<string, number>> = { darwin: 0x20000000 };

class HeldPath implements Held {
  readonly handle: string;
  readonly stats: Stats;

  constructor(readonly real: string) {
    this.handle = real;
    this.stats = lstatSync(real);
  }

  entry(name: string): string {
    return this.real === '/' ? `/${name}` : `${this.real}/${name}`;
  }

  confirm(): void {
    const now = lstatSync(this.real);
    if (now.ino !== this.stats.ino || now.dev !== this.stats.dev || realpathSync(this.real) !== this.real) {
      throw new FileFault('outside');
    }
  }

  release(): void {}

  releaseLater(): void {}
}

/**
 * For platforms without /proc: resolves the real path, checks it, opens it without following links, and
 * compares device and inode. It detects almost every replacement, not all: `doctor` says so.
 */
export class GenericLocator implements PathLocator {
  readonly #noLink: number;

  constructor(platform: string) {
    this.#noLink = NO_LINK_ANYWHERE[platform] ?? constants.O_NOFOLLOW;
  }

  locate(path: string, permission: Permission, access: FileAccess): Held {
    if (!permits(path, permission, access)) throw new FileFault('denied');
    const held = new HeldPath(this.#real(path, access));
    checkReal(held.real, path, permission, access);
    checkObjects(held.real, access);
    return held;
  }

  place(path: string, follow: boolean, permission: Permission, access: FileAccess): Place {
    if (!permits(path, permission, access)) throw new FileFault('denied');
    const target = follow ? this.#target(path) : path;
    const parent = new HeldPath(this.#real(parentOf(target), access));
    const name = nameOf(target);
    const real = joinReal(parent.real, name);
    checkReal(real, path, permission, access);
    checkObjects(real, access);
    if (!parent.stats.isDirectory()) throw new FileFault('not-a-directory', undefined, belowAFile);
    return { parent, name, real, child: name === '' ? parent : this.child(parent, name) };
  }

  descend(parent: Held, name: string | Buffer): Held {
    const held = `${name}` === '.' ? new HeldPath(parent.real) : new HeldPath(`${entryOf(parent, name)}`);
    if (!held.stats.isDirectory()) throw new FileFault('not-a-directory');
    return held;
  }

  child(parent: Held, name: string): Held | undefined {
    try {
      return new HeldPath(parent.entry(name));
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  openRegular(held: Held, flags: number): number {
    if (held.stats.isDirectory()) throw new FileFault('is-a-directory');
    if (!held.stats.isFile()) throw new FileFault('special-file');
    const descriptor = openSync(held.real, flags | this.#noLink | constants.O_NONBLOCK | constants.O_NOCTTY);
    try {
      const opened = fstatSync(descriptor);
      if (opened.ino !== held.stats.ino || opened.dev !== held.stats.dev) throw new FileFault('outside');
      held.confirm();
      return descriptor;
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }

  #real(path: string, access: FileAccess): string {
    try {
      return realpathSync(path);
    } catch (error) {
      throw errnoOf(error) === 'ENOENT' ? this.#missing(path, access) : error;
    }
  }

  /** The caller must not learn whether something is missing outside. */
  #missing(path: string, access: FileAccess): FileFault {
    for (let missing = path, above = parentOf(path); ; missing = above, above = parentOf(above)) {
      const real = realPathIfAny(above);
      if (real === undefined) continue;
      // A path that exists and leads nowhere is a dangling link.
      const dangling = lstatSync(missing, { throwIfNoEntry: false }) !== undefined;
      const whole = joinReal(real, path.slice(above === '/' ? 1 : above.length + 1));
      const seen = real === above || access.guard.mayRead(whole) || access.guard.mayWrite(whole);
      return new FileFault(seen && !dangling ? 'not-found' : 'outside');
    }
  }

  /** The target of the last link; a dangling link has no target that could be written safely. */
  #target(path: string): string {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined || !stats.isSymbolicLink()) return path;
    try {
      return realpathSync(path);
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') throw new FileFault('outside');
      throw error;
    }
  }
}

function checkReal(real: string, asked: string, permission: Permission, access: FileAccess): void {
  if (isKernelPath(real)) throw new FileFault('special-file');
  if (!permits(real, permission, access)) throw new FileFault(real === asked ? 'denied' : 'outside');
}

function checkObjects(real: string, access: FileAccess): void {
  if (access.isDeniedObject === undefined) return;
  for (let path = real; path !== '/'; path = parentOf(path)) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && access.isDeniedObject(stats)) throw new FileFault('denied');
  }
}

function realPathIfAny(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (path === '/' || errnoOf(error) === undefined) throw error;
    return undefined;
  }
}
