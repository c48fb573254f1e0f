import { closeSync, lstatSync, mkdirSync, openSync, type Stats, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { SandboxView } from '../../../application/ports/command/command-sandbox.js';
import { KERNEL_FOLDERS } from '../../../domain/permission/path/system-folders.js';
import { isWithin, type Toolchains } from '../program/toolchains.js';
import { withWholeFolders } from './hidden-folders.js';
import { resolverFiles } from './resolver-files.js';
import type { SystemView } from './system-view.js';

export type Mount =
  | {
      readonly kind: 'read';
      readonly path: string;
      readonly source: string;
      /** A part of the system: no name on the way to it can be changed by a command. */
      readonly fixed?: true;
    }
  | {
      readonly kind: 'write';
      readonly path: string;
      /** Where it is the server's own and lies elsewhere. */
      readonly source?: string;
    }
  | { readonly kind: 'temporary'; readonly path: string; readonly bytes: number }
  /** No source: the null device. */
  | { readonly kind: 'mask-file'; readonly path: string; readonly source?: string | undefined }
  | { readonly kind: 'mask-folder'; readonly path: string; readonly source: string }
  | { readonly kind: 'link'; readonly path: string; readonly target: string };

export interface MountRequest {
  readonly system: SystemView;
  readonly toolchains: Toolchains;
  readonly view: SandboxView;
  readonly home: string;
  /** A folder that is shown as /tmp; absent: an empty one in memory. */
  readonly tmp?: string;
  readonly tmpBytes: number;
  readonly without?: readonly string[];
  readonly network: 'none' | 'hosts' | 'host';
}

/** Parents before what lies in them. */
export interface MountPlan {
  /** What is shown: the system, toolchains, folders of the view. */
  readonly base: readonly Mount[];
  /** What lies inside of that: masks, read-only islands, and folders that keep their names. */
  readonly inner: readonly Mount[];
}

export function planMounts(request: MountRequest): MountPlan {
  const { system, toolchains, view, home, tmp, tmpBytes } = request;
  const table = new Map<string, Mount>();
  const add = (mount: Mount): void => void table.set(mount.path, mount);
  if (![...view.read, ...view.write].includes('/')) {
    for (const path of system.folders) add({ kind: 'read', path, source: path, fixed: true });
    for (const { path, target } of system.links) add({ kind: 'link', path, target });
    add({ kind: 'read', path: '/etc', source: system.etc, fixed: true });
  }
  add(
    tmp === undefined
      ? { kind: 'temporary', path: '/tmp', bytes: tmpBytes }
      : { kind: 'write', path: '/tmp', source: tmp },
  );
  const writable = [...view.write, home];
  for (const path of toolchains.read) {
    if (![...view.read, ...writable].some((folder) => isWithin(path, folder)))
      add({ kind: 'read', path, source: path });
  }
  for (const path of view.read) add({ kind: 'read', path, source: path });
  for (const path of writable) add({ kind: 'write', path });
  for (const { path, source, isReadOnly } of view.binds ?? [])
    add({ kind: isReadOnly ? 'read' : 'write', path, source });
  const temporary = table.get('/tmp');
  if (tmp !== undefined && temporary?.kind === 'write' && temporary.source === tmp) keepPlaces(tmp, table);
  const shown = new Set(table.values());
  protect(view, table);
  pin(view, table);
  for (const path of [
    ...withWholeFolders(view, new Set(table.keys())),
    ...toolchains.hide,
    ...(request.without ?? []),
  ]) {
    const mask = maskOf(path, system.nothing, view.placeholders?.get(path));
    if (mask !== undefined && enclosing(path, table) !== undefined) add(mask);
  }
  const mounts = inOrder(table);
  return {
    base: [...mounts.filter((mount) => shown.has(mount)), ...resolver(request)],
    inner: mounts.filter((mount) => !shown.has(mount)),
  };
}

/** undefined: nothing is there, or a link, which leads to what has a name of its own. */
export function maskOf(path: string, nothing: string, placeholder?: string): Mount | undefined {
  const found = lookAtEntry(path);
  if (found === undefined || found.isSymbolicLink()) return undefined;
  return found.isDirectory()
    ? { kind: 'mask-folder', path, source: nothing }
    : { kind: 'mask-file', path, source: placeholder };
}

/** How names are looked up, for commands with a network. */
function resolver({ system, view, network }: MountRequest): readonly Mount[] {
  const isCopy = ![...view.read, ...view.write].includes('/') && system.etc !== '/etc';
  return resolverFiles(network, system.etc, isCopy).map(({ path, source }) => ({
    kind: 'read',
    path,
    source,
    fixed: true,
  }));
}

/**
 * What is bound below a /tmp that lasts needs places in it. The folders above them are mount points as well, in every
 * command of the session, so that no command can move one and put a link there.
 */
function keepPlaces(tmp: string, table: Map<string, Mount>): void {
  const below = [...table.keys()].filter((path) => path.startsWith('/tmp/'));
  for (const path of below) {
    let folder = '/tmp';
    for (const name of relative('/tmp', dirname(path)).split('/').filter(Boolean)) {
      folder = `${folder}/${name}`;
      if (!table.has(folder))
        table.set(folder, { kind: 'write', path: folder, source: hostPath(folder, table) });
    }
    makePlace(path, tmp, statSync(path, { throwIfNoEntry: false })?.isFile() === true);
  }
}

/** One folder after the other; where something else has one of the names, the path is not mounted. */
function makePlace(path: string, tmp: string, isFile: boolean): void {
  const names = relative('/tmp', path).split('/');
  let place = tmp;
  for (const [index, name] of names.entries()) {
    place = `${place}/${name}`;
    const found = lookAtEntry(place);
    if (found?.isDirectory()) continue;
    if (found !== undefined) return;
    if (isFile && index === names.length - 1) closeSync(openSync(place, 'wx', 0o600));
    else mkdirSync(place, { mode: 0o755 });
  }
}

/** Where on the host a path of the sandbox lies, given what is mounted around it. */
export function hostPath(path: string, table: ReadonlyMap<string, Mount>): string {
  const around = table.get(path) ?? enclosing(path, table);
  const isBound = around?.kind === 'write' || (around?.kind === 'read' && !around.fixed);
  if (!isBound || around.source === undefined) return path;
  return join(around.source, relative(around.path, path));
}

/** Adds the read-only islands; where nothing is, nothing can be mounted. */
function protect(view: SandboxView, table: Map<string, Mount>): void {
  for (const wanted of view.readOnlyInside) {
    const root = enclosing(wanted, table);
    // In the server's own /tmp nothing of the user's is to be protected: what is bound there is protected inside.
    if (root?.kind !== 'write' || isOwn(root)) continue;
    const found = lookAtEntry(wanted);
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

/** A folder of the server, and not what the host has under the path. */
function isOwn({ path, source }: Extract<Mount, { kind: 'write' }>): boolean {
  return source !== undefined && source !== path;
}

/** A folder that is a mount point can be neither renamed nor removed. */
function pin({ pinned = [] }: SandboxView, table: Map<string, Mount>): void {
  for (const path of [...pinned].sort((first, second) => depth(first) - depth(second))) {
    if (!table.has(path) && enclosing(path, table)?.kind === 'write')
      table.set(path, { kind: 'write', path });
  }
}

/** What lies behind a mount that cannot be made is looked at from the next one above: a link on the way counts. */
function inOrder(table: ReadonlyMap<string, Mount>): readonly Mount[] {
  const made = new Map<string, Mount>();
  for (const mount of [...table.values()].sort((one, other) => depth(one.path) - depth(other.path)))
    if (isMountable(mount, made)) made.set(mount.path, mount);
  return [...made.values()];
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
    // Below the server's own folder it is the place that is looked at, and not what will lie on it.
    const found = lookAtEntry(
      around.kind === 'write' && around.source ? placeIn(around.path, around.source, path) : path,
    );
    if (found === undefined || found.isSymbolicLink()) return false;
    if (path !== mount.path && !found.isDirectory()) return false;
  }
  return true;
}

function placeIn(folder: string, source: string, path: string): string {
  return join(source, relative(folder, path));
}

function isBindable(mount: Extract<Mount, { kind: 'read' | 'write' }>): boolean {
  const source = mount.source ?? mount.path;
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

export function lookAtEntry(path: string): Stats | undefined {
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
