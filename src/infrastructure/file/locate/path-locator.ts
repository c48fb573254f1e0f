import type { Stats } from 'node:fs';
import type { FileAccess } from '../../../application/ports/file/safe-file-system.js';

/** Something on the disk that was reached and checked, and that stays itself while it is held. */
export interface Held {
  /** Its path without any link in it. */
  readonly real: string;
  readonly stats: Stats;
  /** A path that names this very object in calls of node:fs. */
  readonly handle: string;
  /** A descriptor of the folder that can be read and flushed, where there is one already. */
  readonly readable?: number | undefined;
  /** A path for an entry of this folder; the entry itself is not followed by calls that do not follow. */
  entry(name: string): string;
  /** Throws where the platform cannot hold objects and this one was exchanged meanwhile. */
  confirm(): void;
  release(): void;
  /** For a file that lost its last name: its blocks are then freed, the longer the larger, and nobody waits. */
  releaseLater(): void;
}

/** A name in a folder that is held; `child` is what the name stood for, if anything. */
export interface Place {
  readonly parent: Held;
  readonly name: string;
  readonly real: string;
  readonly child: Held | undefined;
}

export type Permission = 'read' | 'write' | 'both';

export interface PathLocator {
  /** What the path leads to, its last link followed. */
  locate(path: string, permission: Permission, access: FileAccess): Held;
  /** The name and its folder; with `follow`, the place that the last link leads to. */
  place(path: string, follow: boolean, permission: Permission, access: FileAccess): Place;
  /** A folder in a folder, never through a link. Names that are no valid UTF-8 are given as bytes. */
  descend(parent: Held, name: string | Buffer): Held;
  /** Whatever has that name in a folder, never through a link. */
  child(parent: Held, name: string): Held | undefined;
  /** Opens a file that is held for reading, never anything but a regular one. */
  openRegular(held: Held, flags: number): number;
}

export function joinReal(directory: string, name: string): string {
  return directory === '/' ? `/${name}` : `${directory}/${name}`;
}

/** Below where a walk began, which itself has no name. */
export function joinRelative(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** `entry` for a name that may be no valid UTF-8. */
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

/** Kernel file systems answer with more than data; nothing below them is a file in our sense. */
export function isKernelPath(real: string): boolean {
  return /^\/(proc|sys)(\/|$)/.test(real);
}

export function releasePlace(place: Place): void {
  place.child?.release();
  place.parent.release();
}
