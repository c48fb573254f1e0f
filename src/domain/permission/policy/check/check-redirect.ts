import { isInside } from '../../path/normal-path.js';
import type { Access } from '../../path/path-bounds.js';
import { isSystemFile } from '../../path/system-folders.js';
import { type Denial, deny } from '../decision.js';
import type { ToolRules } from '../policy-layer.js';

const ALWAYS_THERE: ReadonlySet<string> = new Set([
  '/dev/null',
  '/dev/zero',
  '/dev/full',
  '/dev/random',
  '/dev/urandom',
  '/dev/stdin',
  '/dev/stdout',
  '/dev/stderr',
]);

/** Paths that every command can use, whatever the policy shows it of the disk. */
export function isFree({ obligations: { sandbox } }: ToolRules, access: Access, path: string): boolean {
  if (ALWAYS_THERE.has(path)) return true;
  if (sandbox === undefined) return false;
  const shown = [...sandbox.read, ...sandbox.write].some((folder) => isInside(path, folder));
  if (isInside(path, '/tmp') && !shown) return true;
  return access === 'read' && isSystemFile(path);
}

/** The shell opens a redirected file itself, whatever the program is. */
export function checkRedirect(
  tool: ToolRules,
  mode: Access,
  path: string,
  anyProgram: boolean,
): Denial | undefined {
  if (ALWAYS_THERE.has(path) || tool.allowedPaths.covers(path)) return undefined;
  const { sandbox } = tool.obligations;
  // Without a sandbox, a program that may read anything could read it by name too; writing is checked.
  if (sandbox === undefined && (mode === 'read' || anyProgram)) return undefined;
  const { read, write } = sandbox ?? { read: [], write: [] };
  const places = mode === 'write' ? write : [...read, ...write];
  // A directory that is shown keeps its access, even inside /tmp.
  const isShown = read.some((folder) => isInside(path, folder));
  const isPrivate = sandbox !== undefined && isInside(path, '/tmp') && !isShown;
  if (isPrivate || (mode === 'read' && isSystemFile(path))) return undefined;
  if (places.some((folder) => isInside(path, folder))) return undefined;
  return deny(
    'NO_ALLOW',
    { kind: 'path', text: path },
    sandbox === undefined
      ? `Nothing in allowed_paths of ${tool.tool} covers ${path}.`
      : `The sandbox ${sandbox.name} does not let commands ${mode} ${path}.`,
    mode === 'write'
      ? 'Commands may not write there. Leave the redirection out, the output comes back anyway; or use write_file.'
      : 'Commands may not read there.',
    tool.at,
  );
}
