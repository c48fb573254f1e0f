import type { Stats } from 'node:fs';
import type { FileAccess } from '../../../application/ports/file/safe-file-system.js';

/** An object on disk that was located and checked, and stays the same while it is held. */
export interface Held {
  /** Its path without any links. */
  readonly real: string;
  readonly stats: Stats;
  /** A path that names this very object in calls of node:fs. */
  readonly handle: string;
  /** A readable descriptor of the directory, for flushing, if there is one already. */
  readonly readable?: number | undefined;
  /** A path for an entry of this directory; calls that do not follow links do not follow the entry. */
  entry(name: string): string;
  /** Throws if the platform cannot hold objects and this one was replaced. */
  confirm(): void;
  release(): void;
  /**
   * For a file that lost its last name: freeing its blocks takes time for large files, so do not wait for it.
   */
  releaseLater(): void;
}

/** A name in a held directory; `child` is the object of that name, if any. */
export interface Place {
  readonly parent: Held;
  readonly name: string;
  readonly real: string;
  readonly child: Held | undefined;
}

export type Permission = 'read' | 'write' | 'both';

export interface PathLocator {
  /** Finds the target of the path, following its last link. */
  locate(path: string, permission: Permission, access: FileAccess): Held;
  /** Finds the name and its directory; with `follow`, that of the last link's target. */
  place(path: string, follow: boolean, permission: Permission, access: FileAccess): Place;
  /** Opens a subdirectory, never through a link. Names that are not valid UTF-8 are passed as bytes. */
  descend(parent: Held, name: string | Buffer): Held;
  /** Finds the object of that name in a directory, never through a link. */
  child(parent: Held, name: string): Held | undefined;
  /** Opens a held file for reading, only if it is a regular one. */
  openRegular(held: Held, flags: number): number;
}

export function joinReal(directory: string, name: string): string {
  return directory === '/' ? `/${name}` : `${directory}/${name}`;
}

/** Joins paths below the start of a walk, which itself has no name. */
export function joinRelative(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** `entry` for a name that may not be valid UTF-8. */
export function entryOf(folder: Held, name: string | Buffer): string | Buffer {
  return typeof name === 'string' ? folder.entry(name) : Buffer.concat([Buffer.from(folder.entry('')), name]);
}

export function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash <= 0 ? '/' : path.slice(0, slash);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function permits(path: string, permission: Permission, access: FileAccess): boolean {
  switch (permission) {
    case 'read':
      return access.guard.mayRead(path);
    case 'write':
      return access.guard.mayWrite(path);
    case 'both':
      return access.guard.mayRead(path) && access.guard.mayWrite(path);
  }
}

/** Files of kernel file systems are not plain data; none of them counts as a file. */
export function isKernelPath(real: string): boolean {
  return /^\/(proc|sys)(\/|$)/.test(real);
}

export function releasePlace(place: Place): void {
  place.child?.release();
  place.parent.release();
}
