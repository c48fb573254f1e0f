import { chmod, lstat, mkdir } from 'node:fs/promises';
import { isAbsolute, join, normalize } from 'node:path';
import { Result } from '../../domain/result.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Folders that the kernel makes up. Nothing can be kept there, and Node tries to for ever. */
const KERNEL = /^\/(?:proc|sys)(?:\/|$)/;

export function isKernelFolder(path: string): boolean {
  return KERNEL.test(normalize(path));
}

/** Where state of this user lives: $XDG_STATE_HOME/castellan, else ~/.local/state/castellan. */
export function resolveStateFolder(environment: Environment): Result<string> {
  const folder = stateFolderOf(environment);
  return folder.success && isKernelFolder(folder.value)
    ? refuse(folder.value, 'is in a file system of the kernel')
    : folder;
}

function stateFolderOf(environment: Environment): Result<string> {
  // The XDG specification has relative values ignored.
  const base = environment.XDG_STATE_HOME;
  if (base !== undefined && isAbsolute(base)) return Result.ok(join(base, 'castellan'));
  const home = environment.HOME;
  if (home !== undefined && isAbsolute(home)) return Result.ok(join(home, '.local', 'state', 'castellan'));
  return Result.failure(
    'There is no folder for state: neither XDG_STATE_HOME nor HOME is an absolute path. Set XDG_STATE_HOME.',
    'StateFolderUnavailable',
  );
}

/** Makes the folder for this user alone, or says why what is there cannot be trusted. */
export async function openStateFolder(folder: string): Promise<Result<string>> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const found = await lstat(folder);
    if (!found.isDirectory()) return refuse(folder, 'is not a folder');
    const user = process.getuid?.();
    if (user !== undefined && found.uid !== user) return refuse(folder, 'belongs to another user');
    if ((found.mode & 0o077) !== 0) await chmod(folder, 0o700);
    return Result.ok(folder);
  } catch (error) {
    return unwritableStateFolder(folder, error);
  }
}

/** Said where the folder, or a file in it, cannot be made. */
export function unwritableStateFolder(folder: string, error: unknown): Result<never> {
  return Result.failure(
    `The state folder ${folder} cannot be written (${error instanceof Error ? error.message : String(error)}). Make it a folder that you can write, or set XDG_STATE_HOME to a folder of your own.`,
    'StateFolderUnavailable',
  );
}

function refuse(folder: string, why: string): Result<string> {
  return Result.failure(
    `The state folder ${folder} ${why}. Remove it, or set XDG_STATE_HOME to a folder of your own.`,
    'StateFolderUnavailable',
  );
}
