import { isInside } from '../path/normal-path.js';
import { PathRules } from '../path/path-rules.js';
import { SECRET_PATHS } from '../path/sensitive-paths.js';
import { belongsToMachine } from '../path/system-folders.js';

/** Whole parts of a machine: projects are below them, not there. */
const TOO_WIDE: ReadonlySet<string> = new Set(
  '/ /home /Users /root /opt /srv /var /mnt /media /private /var/lib /var/log /var/cache /var/spool /var/run /var/db'.split(
    ' ',
  ),
);
/** Directories for the sources of installed software. */
const SYSTEM_SOURCES = ['/usr/src', '/usr/local/src'];

/**
 * Below the home directory: collections of settings, only as a whole; and directories of agents with their
 * content.
 */
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
 * Why a directory is not used as workspace just because a client was started in it; undefined if it may be. A
 * directory that the user names is always used.
 */
export function unnamedWorkspaceProblem(root: string, home: string): string | undefined {
  if (root === home) return 'your whole home folder';
  if (TOO_WIDE.has(root)) return 'a whole part of the machine';
  const isSource = SYSTEM_SOURCES.some((folder) => isInside(root, folder));
  if (!isSource && belongsToMachine(root)) return 'a folder of the system';
  if (OWN_WHOLE.some((name) => root === `${home}/${name}`)) return 'the settings and data of your programs';
  if (AGENTS.some((name) => isInside(root, `${home}/${name}`))) return 'the folder of an agent or a server';
  // Preparing the rules takes longer than the rest of finding the workspace.
  if (!MAY_BE_SECRET.test(root)) return undefined;
  const secrets = PathRules.compile(SECRET_PATHS.map((path) => ({ ...path, at: NOWHERE })));
  return secrets.success && secrets.value.covers(root) ? 'a folder of keys' : undefined;
}

/** Every path of SECRET_PATHS has one of these characters in its name. */
export const MAY_BE_SECRET = /[._]/;
const NOWHERE = { file: 'builtin:secrets', line: 1, column: 1 };
