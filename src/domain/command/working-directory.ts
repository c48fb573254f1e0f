/** The folder after a `cd` to somewhere that nobody knows before it runs. No path below it is one. */
export const ADRIFT = '/?';

/** No folder has a longer name. */
const MAX_LENGTH = 4096;

/** `.` for the folder itself. Lexical, as `cd` is: `cd link; cd ..` leads back to where link lies. */
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

/** A spelling that no program takes for an option and no shell for a variable: it begins with `/` or `.`. */
export function explicitPath(path: string): string {
  return path.startsWith('/') || path === '.' || path === '..' || /^\.\.?\//.test(path) ? path : `./${path}`;
}

/** A path as a program in `directory` would name it, told from the call's own folder. Nothing is normalised. */
export function pathFrom(directory: string, path: string): string {
  return directory === '.' || path.startsWith('/') ? path : `${directory === '/' ? '' : directory}/${path}`;
}
