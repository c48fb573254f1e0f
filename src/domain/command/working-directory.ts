/** The directory after a `cd` to an unknown place. No path below it is valid. */
export const ADRIFT = '/?';

/** No directory has a longer name. */
const MAX_LENGTH = 4096;

/**
 * `.` for the directory itself. Resolved lexically, like `cd`: `cd link; cd ..` returns to the directory of
 * the link.
 */
export function enterDirectory(from: string, directory: string): string {
  if (from.length + directory.length > MAX_LENGTH) return ADRIFT;
  const absolute = directory.startsWith('/');
  const rooted = absolute || from.startsWith('/');
  const parts: string[] = [];
  for (const part of `${absolute ? '' : from}/${directory}`.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (!rooted) parts.push('..');
  }
  const joined = parts.join('/');
  if (rooted) return `/${joined}`;
  return joined === '' ? '.' : joined;
}

/**
 * A spelling that no program mistakes for an option and no shell for a variable: it begins with `/` or `.`.
 */
export function explicitPath(path: string): string {
  return path.startsWith('/') || path === '.' || path === '..' || /^\.\.?\//.test(path) ? path : `./${path}`;
}

/**
 * The path of a file as a program in `directory` names it, relative to the call's own directory. Nothing is
 * normalised.
 */
export function pathFrom(directory: string, path: string): string {
  return directory === '.' || path.startsWith('/') ? path : `${directory === '/' ? '' : directory}/${path}`;
}
