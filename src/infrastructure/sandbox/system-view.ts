import { chmod, cp, lstat, mkdir, mkdtemp, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The part of the machine that every command may read, and that none may write. */
export interface SystemView {
  /** Bound read-only at their own place. */
  readonly folders: readonly string[];
  /** Links such as /bin → usr/bin on systems where /usr holds everything. */
  readonly links: readonly { readonly path: string; readonly target: string }[];
  /** A folder that is shown as /etc. */
  readonly etc: string;
}

const ROOTS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store'];

const ETC = [
  'alternatives',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'passwd',
  'group',
  'nsswitch.conf',
  'hosts',
  'protocols',
  'services',
  'localtime',
  'os-release',
  'debian_version',
  'mime.types',
  'ssl/openssl.cnf',
  'ssl/certs/ca-certificates.crt',
  'pki/tls/certs/ca-bundle.crt',
];

/**
 * Copies what programs need from /etc into a folder of its own: one mount instead of a dozen, which is a
 * third of a sandbox's cost, and /etc/ssl/private or a shadow file cannot slip in.
 */
export async function buildSystemView(stateFolder: string, sameOwner: boolean): Promise<SystemView> {
  await mkdir(stateFolder, { recursive: true, mode: 0o700 });
  const etc = await mkdtemp(join(stateFolder, 'etc-'));
  await chmod(etc, 0o755);
  await Promise.all(ETC.map((name) => copyInto(etc, name)));
  await mkdir(join(etc, 'ssl/certs'), { recursive: true });
  await writeFile(join(etc, 'resolv.conf'), '');
  // Started as root, the command is another user than the owner of the files, which git takes for an attack.
  if (!sameOwner) await writeFile(join(etc, 'gitconfig'), '[safe]\n\tdirectory = *\n');
  const folders: string[] = [];
  const links: { path: string; target: string }[] = [];
  for (const path of ROOTS) {
    const found = await lstat(path).catch(() => undefined);
    if (found?.isSymbolicLink()) links.push({ path, target: await readlink(path) });
    else if (found?.isDirectory()) folders.push(path);
  }
  return { folders, links, etc };
}

export async function removeSystemView(view: SystemView): Promise<void> {
  await rm(view.etc, { recursive: true, force: true });
}

async function copyInto(etc: string, name: string): Promise<void> {
  const source = join('/etc', name);
  const found = await lstat(source).catch(() => undefined);
  if (found === undefined) return;
  await mkdir(join(etc, name, '..'), { recursive: true });
  // Links inside a folder (alternatives) stay links; a file that is a link (localtime) becomes its content.
  const isFolder = found.isDirectory();
  await cp(source, join(etc, name), {
    recursive: isFolder,
    dereference: !isFolder,
    verbatimSymlinks: isFolder,
  });
}
