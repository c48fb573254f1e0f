import { closeSync, lstatSync, openSync, type Stats } from 'node:fs';
import type { ViewChange } from '../../../../application/ports/command/command-sandbox.js';
import { runProgram } from '../../../process/process-starter.js';
import { isNullDevice, lookAt, readMountTable } from './mount-check.js';
import type { MountTable } from './mount-table.js';
import { isSame, SandboxFolders } from './sandbox-folders.js';

type CoverKind = 'file' | 'folder' | 'seal';

interface Cover {
  readonly kind: CoverKind;
  readonly path: string;
  /** The flags of the mount around it: leaving one out would lift it, which the kernel does not let us. */
  readonly options: string;
}

export interface CoveredSandbox {
  /** The first process of the sandbox. */
  readonly pid: number;
  /** The user namespace that owns its mounts. */
  readonly setup: number;
  readonly nsenter: string;
  /** The folder that is bound in the place of hidden ones when a sandbox is set up. */
  readonly nothing: string;
}

// Arguments in groups of three. Nothing of a path is ever read as shell.
const SCRIPT = `
while [ $# -gt 0 ]; do
  case $1 in
    file) mount -n --bind /dev/null "$3" && mount -n -o "remount,bind,$2" "$3" ;;
    folder) mount -n -t tmpfs -o "$2,mode=0000,size=4096" none "$3" ;;
    seal) mount -n --bind "$3" "$3" && mount -n -o "remount,bind,$2" "$3" ;;
  esac || exit 1
  shift 3
done`;

/** Covers paths in a sandbox whose processes are stopped. Answers those that are still open. */
export async function coverAgain(sandbox: CoveredSandbox, change: ViewChange): Promise<readonly string[]> {
  const covers = plan(sandbox, change);
  if (covers.length === 0) return [];
  const mounts = openSync(`/proc/${sandbox.pid}/ns/mnt`, 'r');
  try {
    await enter(sandbox, mounts, covers);
  } finally {
    closeSync(mounts);
  }
  return stillOpen(sandbox, covers);
}

function plan(sandbox: CoveredSandbox, change: ViewChange): readonly Cover[] {
  const table = readMountTable(sandbox.pid);
  const folders = new SandboxFolders(sandbox.pid);
  try {
    const hidden = change.hide.flatMap((path) => coverOf(path, 'file', folders, table));
    const sealed = change.readOnlyInside.flatMap((path) => coverOf(path, 'seal', folders, table));
    return [...hidden, ...sealed].filter((cover) => !isCovered(cover, sandbox, folders, table));
  } finally {
    folders.close();
  }
}

/** Nothing for what is gone meanwhile, is not shown or is a link, which leads to what has a name of its own. */
function coverOf(
  path: string,
  wanted: 'file' | 'seal',
  folders: SandboxFolders,
  table: MountTable,
): readonly Cover[] {
  const outside = look(path);
  if (outside === undefined || outside.isSymbolicLink()) return [];
  try {
    const around = table.get(folders.lookWithMount(path).mount);
    const kept = around?.options.filter((option) => option !== 'rw' && option !== 'ro') ?? [];
    const options = [...new Set(['ro', 'nosuid', 'nodev', ...kept])].join(',');
    const kind = wanted === 'file' && outside.isDirectory() ? 'folder' : wanted;
    return [{ kind, path, options: kind === 'seal' ? options : 'ro,nosuid,nodev' }];
  } catch {
    // Not to be reached from inside.
    return [];
  }
}

async function enter(
  { setup, nsenter }: CoveredSandbox,
  mounts: number,
  covers: readonly Cover[],
): Promise<void> {
  const credentials = process.getuid?.() === 0 ? ['-S', '0', '-G', '0'] : ['--preserve-credentials'];
  const words = covers.flatMap(({ kind, options, path }) => [kind, options, path]);
  const script = ['--', '/bin/sh', '-c', SCRIPT, 'sh', ...words];
  const args = ['--user=/proc/self/fd/3', '--mount=/proc/self/fd/4', ...credentials, ...script];
  // What came of it is looked at afterwards, whatever it says.
  await runProgram(nsenter, args, {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
    descriptors: [setup, mounts],
  });
}

function stillOpen(sandbox: CoveredSandbox, covers: readonly Cover[]): readonly string[] {
  const table = readMountTable(sandbox.pid);
  const folders = new SandboxFolders(sandbox.pid);
  try {
    return covers
      .filter(({ path }) => look(path) !== undefined && isReached(path, folders))
      .filter((cover) => !isCovered(cover, sandbox, folders, table))
      .map(({ path }) => path);
  } finally {
    folders.close();
  }
}

/** A name that is missing or leads through a link hides nothing that has no other name, which is covered for itself. */
function isReached(path: string, folders: SandboxFolders): boolean {
  try {
    folders.look(path);
    return true;
  } catch {
    return false;
  }
}

function isCovered(
  { kind, path }: Cover,
  { nothing }: CoveredSandbox,
  folders: SandboxFolders,
  table: MountTable,
): boolean {
  try {
    const { found, mount } = folders.lookWithMount(path);
    const entry = table.get(mount);
    // A file that was renamed between the two steps of its cover is a device that opens, as an empty file.
    if (kind === 'file') return isNullDevice(found) && entry?.options.includes('nodev') === true;
    if (kind === 'seal') return entry?.options.includes('ro') === true;
    return isSame(found, lookAt(nothing)) || (entry?.path === path && entry.type === 'tmpfs');
  } catch {
    // A name on the way is missing or has become a link.
    return false;
  }
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // A folder on the way became something else.
    return undefined;
  }
}
