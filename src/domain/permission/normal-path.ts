/** Lexical resolution of a path against an absolute folder: `.`, `..` and repeated slashes are gone. */
export function normalisePath(path: string, base: string): string {
  const segments: string[] = [];
  for (const part of `${path.startsWith('/') ? '' : base}/${path}`.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') segments.pop();
    else segments.push(part);
  }
  return `/${segments.join('/')}`;
}

/** True for the folder itself and for everything below it, never for a sibling with the same beginning. */
export function isInside(path: string, folder: string): boolean {
  if (folder === '/') return true;
  return path === folder || (path.startsWith(folder) && path.charCodeAt(folder.length) === 47);
}
