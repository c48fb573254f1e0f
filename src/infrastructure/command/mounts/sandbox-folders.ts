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

const O_PATH = 0o10000000;
const ENTRY = O_PATH | constants.O_NOFOLLOW;
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
