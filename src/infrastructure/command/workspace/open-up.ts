import { chmodSync, closeSync, constants, fstatSync, openSync } from 'node:fs';

const O_PATH = 0o10000000;
const WHOLE = 0o700;
/** To be listed. */
export const LISTING = 0o500;

/**
 * Lets the server look into a folder that a command has closed and that belongs to the server's user; git would work in it all
 * the same. Answers whether that was needed and done.
 */
export function openUp(folder: string, needed = WHOLE): boolean {
  if (process.platform !== 'linux') return false;
  let held: number | undefined;
  try {
    held = openSync(folder, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    const { mode, uid } = fstatSync(held);
    if ((mode & needed) === needed || uid !== process.getuid?.()) return false;
    chmodSync(`/proc/self/fd/${held}`, (mode & 0o7777) | WHOLE);
    return true;
  } catch {
    // Gone or exchanged meanwhile: what is there now is looked at for itself.
    return false;
  } finally {
    if (held !== undefined) closeSync(held);
  }
}
