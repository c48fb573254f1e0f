import { lstatSync, type Stats, statSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { SandboxView } from '../../../application/ports/command/command-sandbox.js';
import { KERNEL_FOLDERS } from '../../../domain/permission/path/system-folders.js';
import { isWithin, type Toolchains } from '../program/toolchains.js';
import type { SystemView } from './system-view.js';

export type Mount =
  | {
      readonly kind: 'read';
      readonly path: string;
      readonly source: string;
      /** A part of the system: no name on the way to it can be changed by a command. */
      readonly fixed?: true;
    }
  | { readonly kind: 'write'; readonly path: string }
  | { readonly kind: 'temporary'; readonly path: string; readonly bytes: number }
  | { readonly kind: 'mask-file'; readonly path: string }
  | { readonly kind: 'mask-folder'; readonly path: string; readonly source: string }
  | { readonly kind: 'link'; readonly path: string; readonly target: string };

export interface MountRequest {
  readonly system: SystemView;
  readonly toolchains: Toolchains;
  readonly view: SandboxView;
  readonly home: string;
  readonly tmpBytes: number;
}

/** Parents before what lies in them. */
export function planMounts(request: MountRequest): readonly Mount[] {
  const { system, toolchains, view, home, tmpBytes } = request;
  const table = new Map<string, Mount>();
  const add = (mount: Mount): void => void table.set(mount.path, mount);
  if (![...view.read, ...view.write].includes('/')) {
    for (const path of system.folders) add({ kind: 'read', path, source: path, fixed: true });
    for (const { path, target } of system.links) add({ kind: 'link', path, target });
    add({ kind: 'read', path: '/etc', source: system.etc, fixed: true });
  }
  add({ kind: 'temporary', path: '/tmp', bytes: tmpBytes });
  const writable = [...view.write, home];
  for (const path of toolchains.read) {
    if (![...view.read, ...writable].some((folder) => isWithin(path, folder)))
      add({ kind: 'read', path, source: path });
  }
  for (const path of view.read) add({ kind: 'read', path, source: path });
  for (const path of writable) add({ kind: 'write', path });
  protect(view, table);
  pin(view, table);
  for (const path of [...view.hide, ...toolchains.hide]) {
    const found = look(path);
    if (found !== undefined && !found.isSymbolicLink() && enclosing(path, table) !== undefined)
      add(
        found.isDirectory()
          ? { kind: 'mask-folder', path, source: system.nothing }
          : { kind: 'mask-file', path },
      );
  }
  return inOrder(table);
}

/** Adds the read-only islands; where nothing is, nothing can be mounted. */
function protect(view: SandboxView, table: Map<string, Mount>): void {
  for (const wanted of view.readOnlyInside) {
    const root = enclosing(wanted, table);
    if (root?.kind !== 'write') continue;
    const found = look(wanted);
    if (found === undefined) continue;
    // A link can be replaced whatever lies on its target, so the folder that holds it is sealed.
    const path = found.isSymbolicLink() ? dirname(wanted) : wanted;
    if (path === root.path) continue;
    // A mount moves along with a renamed parent; a mount point itself cannot be renamed.
    for (let pin = dirname(path); pin !== root.path && isWithin(pin, root.path); pin = dirname(pin)) {
      if (!table.has(pin)) table.set(pin, { kind: 'write', path: pin });
    }
    table.set(path, { kind: 'read', path, source: path });
  }
}

/** A folder that is a mount point can be neither renamed nor removed. */
function pin({ pinned = [] }: SandboxView, table: Map<string, Mount>): void {
  for (const path of [...pinned].sort((first, second) => depth(first) - depth(second))) {
    if (!table.has(path) && enclosing(path, table)?.kind === 'write')
      table.set(path, { kind: 'write', path });
  }
}

function inOrder(table: ReadonlyMap<string, Mount>): readonly Mount[] {
  return [...table.values()]
    .filter((mount) => isMountable(mount, table))
    .sort((first, second) => depth(first.path) - depth(second.path));
}

// bwrap creates a missing mount point, through links and as the server (CVE-2026-87766). In what is bound
// from the host every component must therefore exist already and be no link.
function isMountable(mount: Mount, table: ReadonlyMap<string, Mount>): boolean {
  if (KERNEL_FOLDERS.some((folder) => isWithin(mount.path, folder))) return false;
  if ((mount.kind === 'read' || mount.kind === 'write') && !isBindable(mount)) return false;
  const around = enclosing(mount.path, table);
  if (around === undefined || around.kind === 'temporary') return true;
  let path = around.path === '/' ? '' : around.path;
  for (const name of relative(around.path, mount.path).split('/')) {
    path = `${path}/${name}`;
    const found = look(path);
    if (found === undefined || found.isSymbolicLink()) return false;
    if (path !== mount.path && !found.isDirectory()) return false;
  }
  return true;
}

function isBindable(mount: Extract<Mount, { kind: 'read' | 'write' }>): boolean {
  const source = mount.kind === 'read' ? mount.source : mount.path;
  const found = statSync(source, { throwIfNoEntry: false });
  return found !== undefined && (found.isDirectory() || found.isFile());
}

/** The nearest mount above a path. */
function enclosing(path: string, table: ReadonlyMap<string, Mount>): Mount | undefined {
  let folder = dirname(path);
  for (;;) {
    const mount = table.get(folder);
    if (mount !== undefined) return mount;
    if (folder === '/') return undefined;
    folder = dirname(folder);
  }
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // A component that is no folder, or is too long: nothing is there to protect or to hide.
    return undefined;
  }
}

function depth(path: string): number {
  return path === '/' ? 0 : path.split('/').length;
}
