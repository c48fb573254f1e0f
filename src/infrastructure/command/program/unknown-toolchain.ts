import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isInside } from '../../../domain/permission/path/normal-path.js';

export interface ShownToolchain {
  readonly read: readonly string[];
  readonly hide: readonly string[];
}

/** What programs need beside their bin folder: libraries, data, and what tells a runtime where it is. */
const SIBLINGS = [
  'lib',
  'lib32',
  'lib64',
  'libexec',
  'share',
  'include',
  // Java, Maven, Gradle
  'conf',
  'jmods',
  'release',
  'boot',
  'init.d',
  'plugins',
  // a virtual environment of Python
  'pyvenv.cfg',
];

/** Go finds its standard library as source. */
const GO = { sign: 'pkg/tool', read: ['src', 'pkg', 'VERSION', 'go.env', 'api', 'misc'] };

/** Somebody works here: nothing but the programs is shown. A virtual environment has no such file. */
const PROJECT_SIGN =
  /^(\.git|\.hg|\.svn|\.env.*|\.ssh|\.aws|package\.json|pyproject\.toml|setup\.py|Cargo\.toml|go\.mod|Gemfile|composer\.json|pom\.xml|build\.gradle.*|Makefile|CMakeLists\.txt)$/;

const SECRET =
  /^(\.env.*|.*\.pem|.*\.key|.*\.p12|.*\.pfx|id_(rsa|dsa|ecdsa|ed25519).*|\.npmrc|\.netrc|\.pypirc|\.git-credentials|\.ssh|\.aws|\.gnupg|credentials(\..*)?)$/i;
/** Certificates of authorities end like keys do. */
const PUBLIC = /(^|[-_.])(ca-?certs?|cacert|ca-?bundle|cert(ificate)?s?|roots?)([-_.]|$)/i;

const MAX_PROGRAMS = 2_000;
const MAX_TARGETS = 16;

/**
 * A folder on PATH that we do not know: its programs, and beside it only what belongs to programs, never the whole of
 * what is around it. `PATH_add bin` in a project is a habit of many.
 */
export async function lookAtUnknown(entry: string, home: string): Promise<ShownToolchain> {
  const real = await realpath(entry).catch(() => entry);
  const bins = [...new Set([entry, real])];
  const programs = (await namesIn(real)).slice(0, MAX_PROGRAMS);
  const hide = programs.filter(isSecret).flatMap((name) => bins.map((bin) => join(bin, name)));
  const parent = dirname(real);
  if (!/^s?bin$/.test(basename(real)) || isInside(home, parent) || dirname(parent) === '/') {
    return { read: bins, hide };
  }
  const around = await namesIn(parent);
  if (!around.includes('lib') || around.some((name) => PROJECT_SIGN.test(name))) return { read: bins, hide };
  const go = (await exists(join(parent, GO.sign))) ? GO.read : [];
  const shown = [...SIBLINGS, ...go]
    .filter((name) => around.includes(name))
    .map((name) => join(parent, name));
  const targets = await targetsOf(real, programs, parent, shown);
  const throughLink =
    dirname(entry) === parent ? [] : shown.map((path) => join(dirname(entry), basename(path)));
  return { read: [...bins, ...shown, ...targets, ...throughLink], hide };
}

function isSecret(name: string): boolean {
  return SECRET.test(name) && !PUBLIC.test(name);
}

/** The folders of the toolchain to which its programs are links. */
async function targetsOf(
  bin: string,
  programs: readonly string[],
  parent: string,
  shown: readonly string[],
): Promise<readonly string[]> {
  const targets = new Set<string>();
  for (const name of programs) {
    if (targets.size === MAX_TARGETS) break;
    const target = dirname(await realpath(join(bin, name)).catch(() => bin));
    const isNew = target !== parent && isInside(target, parent);
    if (isNew && ![bin, ...shown].some((folder) => isInside(target, folder))) targets.add(target);
  }
  return [...targets];
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    // Not there, or closed to us.
    return [];
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
