/** Resolves a path lexically against an absolute directory: removes `.`, `..` and repeated slashes. */
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

/** Returns true if nothing must be removed: the usual case, several times per decision. */
function isPlain(path: string): boolean {
  if (!path.startsWith('/') || path.includes('//') || path.includes('/.')) return false;
  return path === '/' || !path.endsWith('/');
}

/** A directory by its real path, and as it was named if that goes through a link. */
export interface NamedFolder {
  readonly root: string;
  readonly named?: string | undefined;
}

/**
 * The absolute form of a caller's path. A caller that names the workspace by its link (/tmp is one on macOS)
 * means the workspace.
 */
export function pathInWorkspace(path: string, { root, named }: NamedFolder): string {
  const absolute = normalisePath(path, root);
  if (named === undefined || !isInside(absolute, named)) return absolute;
  return normalisePath(`${root}${absolute.slice(named.length)}`, '/');
}

/** True for the directory itself and everything below it, not for a sibling with the same prefix. */
export function isInside(path: string, folder: string): boolean {
  if (folder === '/') return true;
  return path === folder || (path.startsWith(folder) && path.charCodeAt(folder.length) === 47);
}
