import { posix, resolve } from 'node:path';
import { isKernelFolder } from './state-folder.js';

/**
 * Where the user's own settings are: $XDG_CONFIG_HOME, else .config of the home folder. The XDG specification has relative
 * values ignored; a folder in which nothing can be kept is, too.
 */
export function configurationHome(
  { XDG_CONFIG_HOME: base }: Readonly<Record<string, string | undefined>>,
  home: string,
): string {
  const isUsable = base !== undefined && posix.isAbsolute(base) && !isKernelFolder(base);
  return isUsable ? base : resolve(home, '.config');
}
