import { isInside } from '../path/normal-path.js';
import { PathRules } from '../path/path-rules.js';
import { SECRET_PATHS } from '../path/sensitive-paths.js';
import { belongsToMachine } from '../path/system-folders.js';

/** Whole parts of a machine: a project lies somewhere below, never here. */
const TOO_WIDE: ReadonlySet<string> = new Set(
  '/ /home /Users /root /opt /srv /var /mnt /media /private /var/lib /var/log /var/cache /var/spool /var/run /var/db'.split(
    ' ',
  ),
);
/** Where people keep the sources of what is installed. */
const SYSTEM_SOURCES = ['/usr/src', '/usr/local/src'];

/** Below the home folder: settings of everything, whole; and the folders of agents, with all that is in them. */
const OWN_WHOLE = ['.config', '.local', '.local/share', '.local/state', '.local/bin', '.cache', 'Library'];
const AGENTS = [
  '.codex',
  '.claude',
  '.gemini',
  '.cursor',
  '.continue',
  '.copilot',
  '.qwen',
  '.codeium',
  '.windsurf',
  '.aider',
  '.castellan',
  '.docker',
  '.config/claude',
  '.config/opencode',
  '.config/castellan',
  '.local/share/opencode',
  '.local/state/castellan',
];

/**
 * Why a folder is not taken for a workspace by accident, merely because a client was started in it; undefined
 * where it is. Whoever names the folder means it.
 */
export function unnamedWorkspaceProblem(root: string, home: string): string | undefined {
  if (root === home) return 'your whole home folder';
  if (TOO_WIDE.has(root)) return 'a whole part of the machine';
  const isSource = SYSTEM_SOURCES.some((folder) => isInside(root, folder));
  if (!isSource && belongsToMachine(root)) return 'a folder of the system';
  if (OWN_WHOLE.some((name) => root === `${home}/${name}`)) return 'the settings and data of your programs';
  if (AGENTS.some((name) => isInside(root, `${home}/${name}`))) return 'the folder of an agent or a server';
  // The rules take longer to prepare than all the rest of a start takes to find its folder.
  if (!MAY_BE_SECRET.test(root)) return undefined;
  const secrets = PathRules.compile(SECRET_PATHS.map((path) => ({ ...path, at: NOWHERE })));
  return secrets.success && secrets.value.covers(root) ? 'a folder of keys' : undefined;
}

/** Every path of SECRET_PATHS has one of these in its name. */
export const MAY_BE_SECRET = /[._]/;
const NOWHERE = { file: 'builtin:secrets', line: 1, column: 1 };
