/** Lexical resolution of a path against an absolute folder: `.`, `..` and repeated slashes are gone. */
export function normalisePath(path: string, base: string): string {
  const whole = path.startsWith('/') ? path : path === '.' ? base : `${base}/${path}`;
  if (isPlain(whole)) return whole;
  const segments: string[] = [];
  for (const part of whole.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') segments.pop();
    else segments.push(part);
  }
  return `/${segments.join('/')}`;
}

/** Nothing in it could be taken away: the usual case, several times a decision. */
function isPlain(path: string): boolean {
  if (!path.startsWith('/') || path.includes('//') || path.includes('/.')) return false;
  return path === '/' || !path.endsWith('/');
}

/** A folder by its real path, and as it was named where that leads through a link. */
export interface NamedFolder {
  readonly root: string;
  readonly named?: string | undefined;
}

/** A caller's path, absolute. Who names the workspace by its link (/tmp is one on macOS) means the workspace. */
export function pathInWorkspace(path: string, { root, named }: NamedFolder): string {
  const absolute = normalisePath(path, root);
  if (named === undefined || !isInside(absolute, named)) return absolute;
  return normalisePath(`${root}${absolute.slice(named.length)}`, '/');
}

/** True for the folder itself and for everything below it, never for a sibling with the same beginning. */
export function isInside(path: string, folder: string): boolean {
  if (folder === '/') return true;
  return path === folder || (path.startsWith(folder) && path.charCodeAt(folder.length) === 47);
}
