import { normalize, resolve } from 'node:path';
import type { SandboxJob } from '../../../application/ports/command/command-sandbox.js';
import { KERNEL_FOLDERS, SYSTEM_FOLDERS } from '../../../domain/permission/path/system-folders.js';
import { isWithin } from '../program/toolchains.js';

const MISSING = /no such file or directory|ENOENT|does not exist|not found|cannot access|cannot stat/i;
/** A path as programs name one in a message: from the root, from the home, or from above. */
const PATH = /(?:^|[\s'"`(=[‘])((?:\/|\.\.\/)[^\s'"`:,;)\]’]+)/g;
const SYSTEM = [...SYSTEM_FOLDERS, ...KERNEL_FOLDERS, '/etc'];
const MOST = 3;

/**
 * A path that a command named and that lies outside its view is missing for it, whether it exists or not: the kernel's
 * "No such file" would send an agent looking for a mistake of its own.
 */
export function explainOutside(
  said: string,
  text: string,
  { view, home, cwd, env }: SandboxJob,
): readonly string[] {
  const lines = said.split('\n').filter((line) => MISSING.test(line));
  if (lines.length === 0) return [];
  const shown = [...view.read, ...view.write, home, ...SYSTEM, ...toolFolders(env.PATH ?? '')];
  const named = lines.flatMap((line) =>
    [...line.matchAll(PATH)].map(([, path = '']) => path.replace(/[.…]+$/, '')),
  );
  const places = new Map(named.map((path) => [path, normalize(resolve(cwd, path))]));
  const isTemporary = (path: string): boolean =>
    isWithin(path, '/tmp') && !shown.some((folder) => isWithin(path, folder));
  const temporary = [...places].filter(([, path]) => path !== '/tmp' && isTemporary(path));
  const outside = [...places].filter(
    ([, path]) => path !== '/' && !isWithin(path, '/tmp') && !shown.some((folder) => isWithin(path, folder)),
  );
  return [
    ...(outside.length > 0 ? [outsideText(outside.map(([path]) => path))] : []),
    ...(temporary.length > 0 ? [TEMPORARY] : []),
    ...(/~|HOME/.test(text.replaceAll(home, '~')) && [...places.values()].some((path) => isWithin(path, home))
      ? [OWN_HOME]
      : []),
  ];
}

const TEMPORARY =
  'The /tmp of commands is their own: what other programs or earlier sessions have put there is not in it.';

const OWN_HOME = 'The home of commands is their own and not the one of the user, whose files are not in it.';

/** `/opt/NAME` of programs on the PATH: they are shown with what belongs to them. */
function toolFolders(path: string): readonly string[] {
  return path.split(':').flatMap((folder) => /^\/opt\/[^/]+/.exec(folder)?.[0] ?? []);
}

function outsideText(paths: readonly string[]): string {
  const names = paths.slice(0, MOST).join(', ');
  return `${names} ${paths.length === 1 ? 'lies' : 'lie'} outside what commands see, so not visible to commands here, whether it exists or not. Work with copies inside the workspace, or ask the user for the folder under filesystem.read of the sandbox in the policy.`;
}
