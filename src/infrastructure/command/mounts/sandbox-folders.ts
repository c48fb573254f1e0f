import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Mount } from './mount-plan.js';

const O_PATH = 0o10000000;
const ENTRY = O_PATH | constants.O_NOFOLLOW;
/** Character device 1:3, which lies over every hidden file. */
const NULL_DEVICE = 0x103n;
const FOLDER = ENTRY | constants.O_DIRECTORY;

/** What a name stands for, whatever it is renamed to. */
export interface ObjectId {
  readonly dev: bigint;
  readonly ino: bigint;
}

export function isSame(one: ObjectId | undefined, other: ObjectId | undefined): boolean {
  return one !== undefined && other !== undefined && one.dev === other.dev && one.ino === other.ino;
}

/**
 * The file tree as the processes of a sandbox see it. Folders are entered one name at a time, by descriptor and never
 * through a link, so that what is found at the end of a path is what the path says even while others exchange its
 * folders. Throws where a name is missing or is no folder.
 */
export class SandboxFolders {
  readonly #open = new Map<string, number>();

  /** `root`: a path of the host that leads to the root of the tree, such as `/proc/PID/root`. */
  constructor(private readonly root: string) {}

  /** What lies at the path, with whatever is mounted there. */
  look(path: string): BigIntStats {
    return lstatSync(this.#entry(path), { bigint: true });
  }

  /** The same, at once: for what lies in folders in which nobody can have made a link. */
  lookFromRoot(path: string): BigIntStats {
    return lstatSync(`/proc/self/fd/${this.#folder('/')}${path}`, { bigint: true });
  }

  folder(path: string): BigIntStats {
    return fstatSync(this.#folder(path), { bigint: true });
  }

  /** The same object as `look`, and the mount through which it was reached. */
  lookWithMount(path: string): { readonly found: BigIntStats; readonly mount: number } {
    const descriptor = openSync(this.#entry(path), ENTRY);
    try {
      return { found: fstatSync(descriptor, { bigint: true }), mount: mountOf(descriptor) };
    } finally {
      closeSync(descriptor);
    }
  }

  close(): void {
    for (const descriptor of this.#open.values()) closeSync(descriptor);
    this.#open.clear();
  }

  #entry(path: string): string {
    return `/proc/self/fd/${this.#folder(dirname(path))}/${basename(path)}`;
  }

  #folder(path: string): number {
    const known = this.#open.get(path);
    if (known !== undefined) return known;
    const descriptor =
      path === '/'
        ? openSync(this.root, O_PATH | constants.O_DIRECTORY)
        : openSync(this.#entry(path), FOLDER);
    this.#open.set(path, descriptor);
    return descriptor;
  }
}

function mountOf(descriptor: number): number {
  return Number(/^mnt_id:\s+(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1]);
}

/** A name that is missing or leads through a link hides nothing that has no other name, which is covered for itself. */
export function isReached(path: string, folders: SandboxFolders): boolean {
  try {
    folders.look(path);
    return true;
  } catch {
    return false;
  }
}

export function isMasked(mount: Mount, folders: SandboxFolders, table: MountTable): boolean {
  try {
    const { found, mount: id } = folders.lookWithMount(mount.path);
    const options = table.get(id)?.options ?? [];
    switch (mount.kind) {
      case 'mask-file':
        return isNullDevice(found) && options.includes('nodev');
      case 'mask-folder':
        return isSame(found, lookAt(mount.source));
      case 'read':
        return options.includes('ro');
      case 'write':
      case 'temporary':
      case 'link':
        return true;
    }
  } catch {
    // A name on the way is missing or has become a link.
    return false;
  }
}

/** One mount of a namespace, as /proc/PID/mountinfo tells it. */
export interface MountEntry {
  readonly id: number;
  readonly parent: number;
  /** major:minor of the file system. */
  readonly device: string;
  /** The mounted folder or file, as a path in that file system. */
  readonly root: string;
  /** Where it lies, seen from the root of the process. */
  readonly path: string;
  readonly options: readonly string[];
  readonly type: string;
}

export type MountTable = ReadonlyMap<number, MountEntry>;

export function parseMountTable(text: string): MountTable {
  const table = new Map<number, MountEntry>();
  for (const line of text.split('\n')) {
    const fields = line.split(' ');
    const [id, parent, device, root, path, options] = fields;
    const type = fields[fields.indexOf('-', 6) + 1];
    if (root === undefined || path === undefined || options === undefined || type === undefined) continue;
    table.set(Number(id), {
      id: Number(id),
      parent: Number(parent),
      device: device ?? '',
      root: unescaped(root),
      path: unescaped(path),
      options: options.split(','),
      type,
    });
  }
  return table;
}

// The kernel writes space, tab, newline and backslash as three octal digits, byte by byte.
function unescaped(field: string): string {
  if (!field.includes('\\')) return field;
  return field.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

/** Whether /dev/null lies in the place of a hidden file. */
export function isNullDevice(found: BigIntStats): boolean {
  return found.isCharacterDevice() && found.rdev === NULL_DEVICE;
}

export function lookAt(path: string): ObjectId | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A folder on the way became something else: the check will not find it either.
    return undefined;
  }
}
