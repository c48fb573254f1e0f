import { isInside } from './normal-path.js';

/** On every platform: what the operating system installs. */
const ANYWHERE = ['/usr', '/bin', '/sbin'];
/** Apple's own. */
const APPLE = ['/System', '/Library'];

/**
 * Directories in which the kernel presents its state as files. They hold no documents, and commands never see
 * the machine's own.
 */
export const KERNEL_FOLDERS: readonly string[] = ['/proc', '/sys', '/dev'];

/**
 * The machine's programs and libraries: every command may read them and none may write them. Policy, sandbox
 * and program look-up share this list, so that a decision and a mount cannot differ.
 */
export const SYSTEM_FOLDERS: readonly string[] = [
  ...ANYWHERE,
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/nix/store',
  '/gnu/store',
];

/** The same on macOS; Homebrew's programs are treated like the system's. */
export const MACOS_FOLDERS: readonly string[] = [...ANYWHERE, ...APPLE, '/opt/homebrew'];

/** PATH of a command whose policy sets none. */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Directories that belong to the whole machine, so that no project is in them. */
const MACHINE = [...SYSTEM_FOLDERS, ...APPLE, '/etc', '/private/etc', '/boot', '/run', '/dev'];

/**
 * Returns true for directories with the machine's own programs. Packages from outside the distribution
 * install into /opt.
 */
export function holdsSystemPrograms(path: string): boolean {
  return isInside(path, '/opt') || SYSTEM_FOLDERS.some((folder) => isInside(path, folder));
}

/**
 * Returns true if a sandboxed command may read it without a rule: it sees a part of /etc and the system
 * directories.
 */
export function isSystemFile(path: string): boolean {
  return isInside(path, '/etc') || SYSTEM_FOLDERS.some((folder) => isInside(path, folder));
}

export function belongsToMachine(path: string): boolean {
  return MACHINE.some((folder) => isInside(path, folder));
}
