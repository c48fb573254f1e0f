import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = '.by-name';
const CERTIFICATES = '/etc/ssl/certs';
/** The copy of /etc keeps a place free for them; they change while the server runs. */
const HOST_FILES = ['/etc/resolv.conf', CERTIFICATES];

/** Files that say how names are looked up, and what lies in their place in a network by host, below the copy of /etc. */
const BY_NAME_FILES: readonly (readonly [path: string, name: string])[] = [
  ['/etc/resolv.conf', `${FOLDER}/resolv.conf`],
  ['/etc/hosts', `${FOLDER}/hosts`],
  ['/etc/nsswitch.conf', `${FOLDER}/nsswitch.conf`],
];

const TEXTS: Readonly<Record<string, string>> = {
  'resolv.conf': 'nameserver 127.0.0.1\n',
  hosts: '127.0.0.1 localhost sandbox\n::1 localhost\n',
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\nservices: files\nprotocols: files\n',
};

/** Makes them, and empty files where they are to be shown. */
export function addByNameFiles(etc: string): void {
  mkdirSync(join(etc, FOLDER));
  for (const [name, text] of Object.entries(TEXTS)) {
    writeFileSync(join(etc, FOLDER, name), text);
    if (!existsSync(join(etc, name))) writeFileSync(join(etc, name), '');
  }
}

interface ShownFile {
  readonly path: string;
  readonly source: string;
}

/** What tells commands with this network how names are looked up. `isCopy`: they see the copy of /etc, not /etc itself. */
export function resolverFiles(
  network: 'none' | 'hosts' | 'host',
  etc: string,
  isCopy: boolean,
): readonly ShownFile[] {
  if (network === 'none' || (network === 'host' && !isCopy)) return [];
  if (network === 'host') return HOST_FILES.filter((path) => existsSync(path)).map(asItIs);
  // The machine's own list of hosts is not shown: a name in it would get an address that leads nowhere.
  const files = BY_NAME_FILES.flatMap(([path, name]) => {
    const place = isCopy ? path : realPlace(path);
    return place === undefined ? [] : [{ path: place, source: join(etc, name) }];
  });
  return isCopy && existsSync(CERTIFICATES) ? [...files, asItIs(CERTIFICATES)] : files;
}

function asItIs(path: string): ShownFile {
  return { path, source: path };
}

/** Those of the machine may be links out of /etc. */
function realPlace(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // It is not there, so that nothing has to lie over it.
    return undefined;
  }
}
