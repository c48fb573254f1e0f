import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SYSTEM_FOLDERS } from '../../../domain/permission/path/system-folders.js';
import { OBJECTS_FIRST_ATTRIBUTES } from './objects-first.js';
import { addByNameFiles } from './resolver-files.js';

/** The part of the machine that every command may read, and that none may write. */
export interface SystemView {
  /** Bound read-only at their own place. */
  readonly folders: readonly string[];
  /** Links such as /bin → usr/bin on systems where /usr holds everything. */
  readonly links: readonly { readonly path: string; readonly target: string }[];
  /** A folder that is shown as /etc. */
  readonly etc: string;
  /** An empty folder that nobody can open, shown in the place of hidden ones. */
  readonly nothing: string;
  /** What only root may read in /proc. Present where commands could, because they may override owners. */
  readonly rootOnly: RootOnly;
}

/** The highest there is; no workspace is owned by it. */
export const UNKNOWN_ID = 2 ** 32 - 2;

// Hundreds of links: cheaper to mount than to copy.
const ALTERNATIVES = '/etc/alternatives';

const ETC = [
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
export function buildSystemView(stateFolder: string, sameOwner: boolean): SystemView {
  mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
  const etc = mkdtempSync(join(stateFolder, 'etc-'));
  chmodSync(etc, 0o755);
  for (const name of ETC) copyInto(etc, name);
  mkdirSync(join(etc, basename(ALTERNATIVES)));
  mkdirSync(join(etc, 'ssl/certs'), { recursive: true });
  writeFileSync(join(etc, 'resolv.conf'), '');
  addByNameFiles(etc);
  const nothing = join(etc, '.nothing');
  mkdirSync(nothing);
  // A capability of the sandbox reaches only what belongs to ids that the sandbox knows.
  if (!sameOwner) chownSync(nothing, UNKNOWN_ID, UNKNOWN_ID);
  chmodSync(nothing, 0);
  // Started as root, the command is another user than the owner of the files, which git takes for an attack.
  if (!sameOwner) writeFileSync(join(etc, 'gitconfig'), '[safe]\n\tdirectory = *\n');
  writeFileSync(join(etc, 'gitattributes'), OBJECTS_FIRST_ATTRIBUTES);
  const folders: string[] = [];
  const links: { path: string; target: string }[] = [];
  for (const path of [...SYSTEM_FOLDERS, ALTERNATIVES]) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isSymbolicLink()) links.push({ path, target: readlinkSync(path) });
    else if (found?.isDirectory()) folders.push(path);
  }
  return { folders, links, etc, nothing, rootOnly: sameOwner ? { files: [], folders: [] } : findRootOnly() };
}

export function removeSystemView(view: SystemView): void {
  chmodSync(view.nothing, 0o700);
  rmSync(view.etc, { recursive: true, force: true });
}

function copyInto(etc: string, name: string): void {
  const source = join('/etc', name);
  if (!existsSync(source)) return;
  mkdirSync(dirname(join(etc, name)), { recursive: true });
  if (!lstatSync(source).isDirectory()) {
    copyFileSync(source, join(etc, name));
    return;
  }
  mkdirSync(join(etc, name));
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const [from, to] = [join(source, entry.name), join(etc, name, entry.name)];
    if (entry.isFile()) copyFileSync(from, to);
  }
}

export interface RootOnly {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

const OTHERS_READ = 0o004;
const OTHERS_ENTER = 0o001;
/** Those of the processes are of the sandbox; /proc/sys decides by user alone, whatever a capability says. */
const NOT_LOOKED_AT = /^(\d+|self|thread-self|sys)$/;
const MAX_DEPTH = 4;
/** The kernel asks for capabilities of the host when these are opened, which no command has: no cover is needed. */
const GUARDED = ['/proc/kmsg', '/proc/kcore'];

/** What /proc holds outside the processes' folders for root alone, on this kernel. */
export function findRootOnly(): RootOnly {
  const files: string[] = [];
  const folders: string[] = [];
  const visit = (folder: string, depth: number): void => {
    for (const name of namesIn(folder)) {
      if (depth === 0 && NOT_LOOKED_AT.test(name)) continue;
      const path = join(folder, name);
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found === undefined || found.isSymbolicLink()) continue;
      if (!found.isDirectory()) {
        if ((found.mode & OTHERS_READ) === 0) files.push(path);
      } else if ((found.mode & (OTHERS_READ | OTHERS_ENTER)) !== (OTHERS_READ | OTHERS_ENTER)) {
        folders.push(path);
      } else if (depth < MAX_DEPTH) {
        visit(path, depth + 1);
      }
    }
  };
  visit('/proc', 0);
  return { files: files.filter((path) => !GUARDED.includes(path)), folders };
}

export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Closed to us as well.
    return [];
  }
}
