import { normalisePath } from '../../../domain/permission/path/normal-path.js';

export interface PathBase {
  readonly workspace: string;
  readonly home: string;
}

const EVERYTHING: ReadonlySet<string> = new Set(['*', '**', '/**']);

export function expandPlaceholders(path: string, { workspace, home }: PathBase): string {
  if (!path.includes('$') && !path.startsWith('~')) return path;
  const expanded = path.replace(/\$\{workspace\}/g, () => workspace).replace(/\$\{home\}/g, () => home);
  if (expanded === '~') return home;
  return expanded.startsWith('~/') ? `${home}${expanded.slice(1)}` : expanded;
}

/** Relative patterns are the workspace's, `**` begins anywhere, and a bare `*` is everything on purpose. */
export function resolvePattern(pattern: string, base: PathBase): string {
  if (EVERYTHING.has(pattern)) return '*';
  const expanded = expandPlaceholders(pattern, base);
  return expanded.startsWith('**/') ? expanded.replace(/\/+$/, '') : normalisePath(expanded, base.workspace);
}
