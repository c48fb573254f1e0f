import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isWithin } from '../program/toolchains.js';
import { hostPath, type Mount } from './mount-plan.js';
import {
  isNullDevice,
  isSame,
  lookAt,
  type MountEntry,
  type MountTable,
  type ObjectId,
  parseMountTable,
  SandboxFolders,
} from './sandbox-folders.js';

/** The view's own, inside which a plan binds nothing. */
const OWN = ['/proc', '/dev'];

/** The objects behind the names of a plan, from before the sandbox was set up. */
export type PlannedObjects = ReadonlyMap<string, ObjectId>;

/** Looks at what is to be bound, and at the folders in which something is to be covered. */
export function rememberObjects(mounts: readonly Mount[]): PlannedObjects {
  const objects = new Map<string, ObjectId>();
  const table = new Map(mounts.map((mount) => [mount.path, mount]));
  const remember = (path: string, host = hostPath(path, table)): void => {
    if (objects.has(path)) return;
    const found = lookAt(host);
    if (found !== undefined) objects.set(path, found);
  };
  const binds = bindsOf(mounts);
  for (const mount of mounts) {
    if (isFixed(mount)) continue;
    if (binds.has(mount.path)) remember(mount.path);
    if (mount.kind === 'mask-folder') remember(mount.source, mount.source);
    if (mount.kind === 'mask-file' && mount.source !== undefined) remember(mount.source, mount.source);
    if (isNested(mount.path, binds)) remember(dirname(mount.path));
  }
  return objects;
}

/** Where mounts are looked at: the root of their namespace, as a path of the host, and its table of mounts. */
export interface MountedTree {
  readonly root: string;
  readonly table: MountTable;
}

export interface VerifiedMounts {
  /** The path that differs from the plan. */
  readonly wrong?: string;
  /** The numbers of the mounts that lie inside of others, by path. */
  readonly ids: ReadonlyMap<string, number>;
}

/** So many are looked at before other work has its turn. */
const A_TURN = 200;

/**
 * Holds what was really mounted against the plan, by device and inode: mounts are made by names, and between the plan
 * and the mount another process may have exchanged what they stand for.
 */
export async function verifyMounts(
  { root, table }: MountedTree,
  mounts: readonly Mount[],
  planned: PlannedObjects,
): Promise<VerifiedMounts> {
  const folders = new SandboxFolders(root);
  try {
    // Where not even this can be opened, nothing is wrong with the mounts.
    folders.folder('/');
    const check = new MountVerifier(table, folders, mounts, planned);
    for (const [index, mount] of mounts.entries()) {
      if (!check.holds(mount)) return { wrong: mount.path, ids: check.ids };
      if (index % A_TURN === A_TURN - 1) await nextTurn();
    }
    const wrong = check.unplanned()?.path;
    return { ids: check.ids, ...(wrong !== undefined && { wrong }) };
  } finally {
    folders.close();
  }
}

export function readMountTable(pid: number | 'self'): MountTable {
  return parseMountTable(readFileSync(`/proc/${pid}/mountinfo`, 'utf8'));
}

class MountVerifier {
  readonly ids = new Map<string, number>();
  readonly #verified = new Set<number>();
  readonly #byString: ReadonlySet<string>;
  readonly #masks: ReadonlySet<string>;
  readonly #binds: ReadonlySet<string>;
  /** Binds of the server's own folders, which have another name inside. */
  readonly #relocated: ReadonlySet<string>;
  readonly #null: MountEntry | undefined;
  /** What lies on top where several are mounted at one path. */
  readonly #topmost: ReadonlyMap<string, MountEntry>;

  constructor(
    private readonly table: MountTable,
    private readonly folders: SandboxFolders,
    mounts: readonly Mount[],
    private readonly planned: PlannedObjects,
  ) {
    this.#binds = bindsOf(mounts);
    this.#relocated = new Set(
      mounts.filter((mount) => mount.kind === 'write' && mount.source).map(({ path }) => path),
    );
    this.#masks = new Set(mounts.filter(({ kind }) => kind === 'mask-file').map(({ path }) => path));
    this.#byString = new Set(['/', ...mounts.filter(isFixed).map(({ path }) => path)]);
    this.#topmost = new Map([...table.values()].map((entry) => [entry.path, entry]));
    this.#null = this.#topmost.get('/dev/null');
  }

  holds(mount: Mount): boolean {
    if (isFixed(mount)) return true;
    try {
      const parent = dirname(mount.path);
      if (isNested(mount.path, this.#binds) && !isSame(this.folders.folder(parent), this.planned.get(parent)))
        return false;
      return this.#isRight(mount);
    } catch {
      // A name is missing or has become a link since.
      return false;
    }
  }

  #isRight(mount: Mount): boolean {
    switch (mount.kind) {
      case 'mask-file':
        return mount.source === undefined
          ? isNullDevice(this.#look(mount.path).found)
          : this.#shows(mount.source, mount.path);
      case 'mask-folder':
        return this.#shows(mount.source, mount.path);
      case 'read':
      case 'write':
        return this.#isBound(mount);
      case 'temporary':
      case 'link':
        return true;
    }
  }

  #shows(source: string, path: string): boolean {
    return isSame(this.#look(path).found, this.planned.get(source));
  }

  #look(path: string): ReturnType<SandboxFolders['lookWithMount']> {
    const looked = this.folders.lookWithMount(path);
    this.#verified.add(looked.mount);
    this.ids.set(path, looked.mount);
    return looked;
  }

  #isBound({ path, kind }: Mount): boolean {
    // The root of the sandbox is a bind only where everything is shown.
    if (path === '/') return isSame(this.folders.folder('/'), this.planned.get('/'));
    if (!isNested(path, this.#binds)) return this.#isBoundOutermost(path, kind);
    const { found, mount } = this.#look(path);
    const entry = this.table.get(mount);
    return (
      isSame(found, this.planned.get(path)) &&
      entry?.path === path &&
      (kind === 'write' || entry.options.includes('ro')) &&
      this.#liesUnderItsName(entry)
    );
  }

  /** The folders above it are bwrap's own, in which nobody else makes links or mounts. */
  #isBoundOutermost(path: string, kind: Mount['kind']): boolean {
    const entry = this.#topmost.get(path);
    if (entry === undefined) return false;
    this.#verified.add(entry.id);
    const found = this.folders.lookFromRoot(path);
    return isSame(found, this.planned.get(path)) && (kind === 'write' || entry.options.includes('ro'));
  }

  /**
   * A bind inside a bind shows the very thing that it lies on: the kernel tells that its root has the same name in the
   * same file system. Nothing that lies elsewhere passes, whoever exchanged the names when they were looked at.
   */
  #liesUnderItsName(entry: MountEntry): boolean {
    // One of the server's own folders lies there on purpose; by its object it was told from all others.
    if (this.#relocated.has(entry.path)) return true;
    const below = this.table.get(entry.parent);
    if (
      below === undefined ||
      this.#relocated.has(below.path) ||
      !(this.#binds.has(below.path) || isNested(below.path, this.#binds))
    )
      return true;
    return below.device === entry.device && entry.root === join(below.root, relative(below.path, entry.path));
  }

  /** A mount that nobody asked for, such as one that landed on a folder that had the planned name for a moment. */
  unplanned(): MountEntry | undefined {
    const strange = [...this.table.values()].filter((entry) => !this.#isAccounted(entry));
    if (strange.length === 0) return undefined;
    // Binds take along what is mounted inside their sources.
    const host = [...readMountTable('self').values()];
    return strange.find(
      ({ path, device, root }) =>
        !host.some((mount) => mount.path === path && mount.device === device && mount.root === root),
    );
  }

  #isAccounted({ id, path, device, root }: MountEntry): boolean {
    if (this.#verified.has(id) || this.#byString.has(path)) return true;
    if (this.#masks.has(path)) return device === this.#null?.device && root === this.#null.root;
    return OWN.some((folder) => isWithin(path, folder));
  }
}

/** Belongs to the machine: no name on the way to it can be changed by a command. */
function isFixed(mount: Mount): boolean {
  return (
    mount.kind === 'temporary' || mount.kind === 'link' || (mount.kind === 'read' && mount.fixed === true)
  );
}

function bindsOf(mounts: readonly Mount[]): ReadonlySet<string> {
  return new Set(mounts.filter(({ kind }) => kind === 'read' || kind === 'write').map(({ path }) => path));
}

/** Lies in what is bound from the host, where names can change. */
function isNested(path: string, binds: ReadonlySet<string>): boolean {
  for (let folder = path; folder !== '/'; ) {
    folder = dirname(folder);
    if (binds.has(folder)) return true;
  }
  return false;
}
