import { isInside } from './normal-path.js';

/** Everywhere: what the operating system installs. */
const ANYWHERE = ['/usr', '/bin', '/sbin'];
/** Apple's own. */
const APPLE = ['/System', '/Library'];

/** What the kernel shows as files. Nothing in it is a document, and no command is shown the machine's own. */
export const KERNEL_FOLDERS: readonly string[] = ['/proc', '/sys', '/dev'];

/**
 * The programs and libraries of the machine: every command may read them and none may write them.
 * Policy, sandbox and program search share this list, so that a decision and a mount cannot differ.
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

/** The same on macOS; Homebrew's programs are installed like the system's. */
export const MACOS_FOLDERS: readonly string[] = [...ANYWHERE, ...APPLE, '/opt/homebrew'];

/** PATH of a command whose policy names none. */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Folders that belong to the machine as a whole, so that no project lies in them. */
const MACHINE = [...SYSTEM_FOLDERS, ...APPLE, '/etc', '/private/etc', '/boot', '/run', '/dev'];

/** A program there is the machine's own. Packages from outside the distribution install into /opt. */
export function holdsSystemPrograms(path: string): boolean {
  return isInside(path, '/opt') || SYSTEM_FOLDERS.some((folder) => isInside(path, folder));
}

/** A sandboxed command may read it without a rule: it sees a part of /etc beside the system's folders. */
export function isSystemFile(path: string): boolean {
  return isInside(path, '/etc') || SYSTEM_FOLDERS.some((folder) => isInside(path, folder));
}

export function belongsToMachine(path: string): boolean {
  return MACHINE.some((folder) => isInside(path, folder));
}
