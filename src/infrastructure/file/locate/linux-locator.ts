import {
  close,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  type Stats,
  statfsSync,
} from 'node:fs';
import type { FileAccess } from '../../../application/ports/file/safe-file-system.js';
import { errnoOf } from '../../state/errno.js';
import { belowAFile, FileFault } from '../file-fault.js';
import { LinkTrail } from './link-trail.js';
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

const O_PATH = 0o10000000;
const PLACE = O_PATH | constants.O_NOFOLLOW;
const FOLDER = PLACE | constants.O_DIRECTORY;
const READABLE_FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const KERNEL_FILE_SYSTEMS = new Set([0x9fa0, 0x62656572]);
/** The kernel appends this to the path of an unlinked file; a real name may end with it too. */
const DELETED = ' (deleted)';

class HeldDescriptor implements Held {
  readonly handle: string;
  #open = true;
  #stats: Stats | undefined;

  constructor(
    private readonly descriptor: number,
    readonly real: string,
    readonly readable?: number | undefined,
  ) {
    this.handle = `/proc/self/fd/${descriptor}`;
  }

  /** Read on demand: a walk enters many directories by name only. */
  get stats(): Stats {
    this.#stats ??= this.#ask();
    return this.#stats;
  }

  entry(name: string): string {
    return `${this.handle}/${name}`;
  }

  confirm(): void {}

  release(): void {
    if (!this.#open) return;
    this.#open = false;
    closeSync(this.descriptor);
  }

  /** The number of a closed descriptor may already belong to another file. */
  #ask(): Stats {
    if (!this.#open) throw new Error(`${this.real} was released before it was looked at.`);
    return fstatSync(this.descriptor);
  }

  releaseLater(): void {
    if (!this.#open) return;
    this.#open = false;
    // Waking a thread takes longer than the result should wait.
    setImmediate(close, this.descriptor);
  }
}

/**
 * openat() in plain Node: /proc/self/fd/N/name looks a name up in the directory that descriptor N holds. A
 * path is first opened directly, and the kernel is asked for the descriptor's real path. Only if that is
 * exactly the requested path was there no link on the way; everything else is walked one name at a time.
 */
export class LinuxLocator implements PathLocator {
  readonly #kernelDevices = new Map<number, boolean>();

  locate(path: string, permission: Permission, access: FileAccess): Held {
    if (!permits(path, permission, access)) throw new FileFault('denied');
    // Directories that were moved from a denied path are detected only by walking one name at a time.
    const direct = access.isDeniedObject === undefined ? this.#direct(path, PLACE) : undefined;
    if (direct !== undefined && !direct.stats.isSymbolicLink()) return this.#ordinary(direct);
    direct?.release();
    const place = this.#walk(path, true, permission, access);
    if (place.child !== place.parent) place.parent.release();
    if (place.child === undefined) throw new FileFault('not-found');
    return this.#ordinary(place.child);
  }

  place(path: string, follow: boolean, permission: Permission, access: FileAccess): Place {
    if (!permits(path, permission, access)) throw new FileFault('denied');
    const isDirect = path !== '/' && access.isDeniedObject === undefined;
    const parent = isDirect ? this.#directFolder(parentOf(path)) : undefined;
    if (parent === undefined) return this.#walk(path, follow, permission, access);
    try {
      this.#ordinary(parent);
      const child = this.child(parent, nameOf(path));
      if (!(follow && child?.stats.isSymbolicLink())) {
        return { parent, name: nameOf(path), real: path, child };
      }
      child.release();
    } catch (error) {
      parent.release();
      throw error;
    }
    parent.release();
    return this.#walk(path, follow, permission, access);
  }

  descend(parent: Held, name: string | Buffer): Held {
    return new HeldDescriptor(openSync(entryOf(parent, name), FOLDER), joinReal(parent.real, `${name}`));
  }

  child(parent: Held, name: string): Held | undefined {
    try {
      return new HeldDescriptor(openSync(parent.entry(name), PLACE), joinReal(parent.real, name));
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  openRegular(held: Held, flags: number): number {
    if (held.stats.isDirectory()) throw new FileFault('is-a-directory');
    if (!held.stats.isFile()) throw new FileFault('special-file');
    return openSync(held.handle, flags | constants.O_NONBLOCK | constants.O_NOCTTY);
  }

  /**
   * For directories that will be changed, so that they can be flushed; one that may not be listed is held as
   * well.
   */
  #directFolder(path: string): HeldDescriptor | undefined {
    return this.#direct(path, READABLE_FOLDER) ?? this.#direct(path, FOLDER);
  }

  /** undefined if the path is missing, or its real path differs. */
  #direct(path: string, flags: number): HeldDescriptor | undefined {
    let descriptor: number;
    try {
      descriptor = openSync(path, flags);
    } catch {
      // Whatever is wrong, the walk meets it again and knows what may be revealed.
      return undefined;
    }
    try {
      if (readlinkSync(`/proc/self/fd/${descriptor}`) === path && !path.endsWith(DELETED)) {
        return new HeldDescriptor(descriptor, path, flags === READABLE_FOLDER ? descriptor : undefined);
      }
    } catch (error) {
      // The kernel cannot return a path longer than a page; the walk does not need it.
      if (errnoOf(error) !== 'ENAMETOOLONG') {
        closeSync(descriptor);
        throw error;
      }
    }
    closeSync(descriptor);
    return undefined;
  }

  #walk(path: string, follow: boolean, permission: Permission, access: FileAccess): Place {
    const trail = new LinkTrail(path, permission, access);
    let current: Held = new HeldDescriptor(openSync('/', FOLDER), '/');
    try {
      for (let name = trail.next(); name !== undefined; name = trail.next()) {
        const child = this.child(current, name);
        if (child?.stats.isSymbolicLink() && (follow || !trail.atEnd)) {
          child.release();
          const target = linkTarget(current.entry(name));
          // Replaced between the two checks: check again.
          if (target === undefined) trail.retry(name);
          else if (trail.follow(name, target)) current = this.#restart(current);
          continue;
        }
        if (child !== undefined && access.isDeniedObject?.(child.stats)) {
          child.release();
          throw new FileFault('denied');
        }
        if (trail.atEnd) return this.#arrive(trail, current, name, child);
        if (child === undefined) throw new FileFault('not-found');
        current.release();
        current = child;
        if (!child.stats.isDirectory()) throw new FileFault('not-a-directory', undefined, belowAFile);
        trail.enter(name);
      }
      trail.finish('');
      return { parent: current, name: '', real: current.real, child: current };
    } catch (error) {
      current.release();
      throw trail.explain(error);
    }
  }

  #arrive(trail: LinkTrail, parent: Held, name: string, child: Held | undefined): Place {
    try {
      trail.finish(name);
      this.#ordinary(child ?? parent);
    } catch (error) {
      child?.release();
      throw error;
    }
    return { parent, name, real: joinReal(parent.real, name), child };
  }

  #restart(current: Held): Held {
    current.release();
    return new HeldDescriptor(openSync('/', FOLDER), '/');
  }

  #ordinary<T extends Held>(held: T): T {
    if (!isKernelPath(held.real) && !this.#onKernelDevice(held)) return held;
    held.release();
    throw new FileFault('special-file');
  }

  #onKernelDevice(held: Held): boolean {
    const known = this.#kernelDevices.get(held.stats.dev);
    if (known !== undefined) return known;
    const kernel = KERNEL_FILE_SYSTEMS.has(statfsSync(held.handle).type);
    this.#kernelDevices.set(held.stats.dev, kernel);
    return kernel;
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (errnoOf(error) === 'EINVAL' || errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
