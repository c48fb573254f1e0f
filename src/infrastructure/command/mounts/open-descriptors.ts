import { lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { errnoOf } from '../../state/errno.js';

/** Something that came to lie at a path, and must not be reached by what was opened before it was covered. */
interface ReplacedObject {
  readonly path: string;
  readonly dev: number;
  readonly ino: number;
  readonly isFolder: boolean;
  /** Not even mapped into memory. */
  readonly isHidden: boolean;
}

export function replacedObjects(
  hidden: readonly string[],
  sealed: readonly string[],
): readonly ReplacedObject[] {
  const found = (isHidden: boolean) => (path: string) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return [];
    return [{ path, dev: stats.dev, ino: stats.ino, isFolder: stats.isDirectory(), isHidden }];
  };
  return [...hidden.flatMap(found(true)), ...sealed.flatMap(found(false))];
}

/**
 * Which of these stopped processes hold one of the objects: by a descriptor, whatever it was opened for, since a
 * descriptor can be opened again through /proc; as a folder they stand in; or mapped into memory. One that cannot be
 * looked into, or that has descriptors on the way to it, counts as well.
 */
export function holdersOf(
  objects: readonly ReplacedObject[],
  processes: readonly number[],
): readonly { readonly pid: number; readonly path: string }[] {
  if (objects.length === 0) return [];
  return processes.flatMap((pid) => {
    const path = heldBy(pid, objects);
    return path === undefined ? [] : [{ pid, path }];
  });
}

function heldBy(pid: number, objects: readonly ReplacedObject[]): string | undefined {
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const folder = `/proc/${pid}/task/${thread}`;
      const links = ['cwd', 'root', ...readdirSync(`${folder}/fd`).map((name) => `fd/${name}`)];
      for (const link of links) {
        const path = heldThrough(folder, link, objects);
        if (path !== undefined) return path;
      }
    }
    return mappedBy(pid, objects);
  } catch (error) {
    return hasGone(error) ? undefined : objects[0]?.path;
  }
}

function heldThrough(folder: string, link: string, objects: readonly ReplacedObject[]): string | undefined {
  try {
    const { dev, ino, ...stats } = statSync(`${folder}/${link}`);
    const target = readlinkSync(`${folder}/${link}`);
    if (target.startsWith('socket:') && hasDescriptorsOnTheWay(folder, link)) return objects[0]?.path;
    const held = objects.find(
      (object) =>
        (object.dev === dev && object.ino === ino) ||
        (object.isFolder && target.startsWith(`${object.path}/`) && stats.nlink > 0),
    );
    return held?.path;
  } catch (error) {
    if (hasGone(error)) return undefined;
    throw error;
  }
}

/** Sent over a socket and not yet received: the kernel tells how many wait there. */
function hasDescriptorsOnTheWay(folder: string, link: string): boolean {
  const info = readFileSync(`${folder}/fdinfo/${link.slice('fd/'.length)}`, 'utf8');
  return /^scm_fds:\s+[1-9]/m.test(info);
}

/** A protected file may be mapped for reading, as long as others do not see what is written there. */
function mappedBy(pid: number, objects: readonly ReplacedObject[]): string | undefined {
  for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
    const [, access = '', , device = '', inode] = line.split(/\s+/, 5);
    if (inode === undefined || inode === '0') continue;
    const held = objects.find(({ dev, ino }) => ino === Number(inode) && isDevice(dev, device));
    if (held !== undefined && (held.isHidden || access.endsWith('s'))) return held.path;
  }
  return undefined;
}

/** As /proc/PID/maps writes it, which names the device of the file system and not that of a part of it, as btrfs has. */
function isDevice(dev: number, written: string): boolean {
  const [major = 0, minor = 0] = written.split(':').map((part) => Number.parseInt(part, 16));
  return (
    major === 0 || (major === ((dev >> 8) & 0xfff) && minor === ((dev & 0xff) | ((dev >> 12) & 0xfff00)))
  );
}

function hasGone(error: unknown): boolean {
  const code = errnoOf(error);
  return code === 'ENOENT' || code === 'ESRCH';
}
