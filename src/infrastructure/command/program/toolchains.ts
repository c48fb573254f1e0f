import { lstat } from 'node:fs/promises';
import { isAbsolute, join, normalize } from 'node:path';
import { isInside } from '../../../domain/permission/path/normal-path.js';
import { SYSTEM_FOLDERS } from '../../../domain/permission/path/system-folders.js';
import { lookAtUnknown } from './unknown-toolchain.js';

/** Compilers and runtimes installed outside the system folders, found through PATH. */
export interface Toolchains {
  /** Shown read-only. */
  readonly read: readonly string[];
  /** Credentials that lie inside them. */
  readonly hide: readonly string[];
  /** What they need to find themselves although HOME is private. */
  readonly environment: Readonly<Record<string, string>>;
}

interface KnownToolchain {
  /** Relative to the home folder; a PATH entry below it means that it is in use. */
  readonly entry: string;
  readonly read: readonly string[];
  readonly hide?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const KNOWN: readonly KnownToolchain[] = [
  {
    entry: '.cargo',
    read: ['.cargo/bin', '.rustup'],
    environment: { RUSTUP_HOME: '.rustup' },
  },
  { entry: '.pyenv', read: ['.pyenv'], environment: { PYENV_ROOT: '.pyenv' } },
  { entry: '.nvm', read: ['.nvm/versions', '.nvm/alias'] },
  { entry: '.volta', read: ['.volta'], environment: { VOLTA_HOME: '.volta' } },
  { entry: '.asdf', read: ['.asdf'], environment: { ASDF_DATA_DIR: '.asdf' } },
  { entry: '.rbenv', read: ['.rbenv'], environment: { RBENV_ROOT: '.rbenv' } },
  { entry: '.sdkman', read: ['.sdkman/candidates'] },
  { entry: '.deno', read: ['.deno/bin'] },
  { entry: '.bun', read: ['.bun/bin'] },
  { entry: '.ghcup', read: ['.ghcup'] },
  {
    entry: '.local/share/mise',
    read: ['.local/share/mise'],
    environment: { MISE_DATA_DIR: '.local/share/mise' },
  },
  { entry: '.local/share/fnm', read: ['.local/share/fnm'] },
  { entry: '.local/share/pnpm', read: ['.local/share/pnpm'], hide: ['.local/share/pnpm/rc'] },
  { entry: '.local/bin', read: ['.local/bin', '.local/share/uv', '.local/share/pipx', '.local/pipx'] },
];

export { isInside as isWithin } from '../../../domain/permission/path/normal-path.js';

/** `home` is the real home folder of the user who runs the server. */
export async function findToolchains(pathVariable: string, home: string): Promise<Toolchains> {
  const read = new Set<string>();
  const hide = new Set<string>();
  const environment: Record<string, string> = {};
  for (const raw of pathVariable.split(':')) {
    const entry = normalize(raw).replace(/(.)\/+$/, '$1');
    if (!isAbsolute(entry) || SYSTEM_FOLDERS.some((folder) => isInside(entry, folder))) continue;
    const found = knownToolchain(entry, home);
    if (found === undefined) {
      const unknown = await lookAtUnknown(entry, home);
      for (const path of unknown.read) read.add(path);
      for (const path of unknown.hide) hide.add(path);
      continue;
    }
    const { known, base } = found;
    for (const path of known.read) read.add(join(base, path));
    for (const path of known.hide ?? []) hide.add(join(base, path));
    for (const [name, path] of Object.entries(known.environment ?? {})) environment[name] = join(base, path);
  }
  const present = await existing([...read]);
  return { read: present, hide: await existing([...hide]), environment };
}

/** By the name of its folder, whoever's home that lies in: a server may be started with another HOME. */
function knownToolchain(
  entry: string,
  home: string,
): { readonly known: KnownToolchain; readonly base: string } | undefined {
  for (const known of KNOWN) {
    if (isInside(entry, join(home, known.entry))) return { known, base: home };
    const at = `${entry}/`.indexOf(`/${known.entry}/`);
    if (at > 0) return { known, base: entry.slice(0, at) };
  }
  return undefined;
}

async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.map((path) =>
      lstat(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return paths.filter((_, index) => found[index]);
}
