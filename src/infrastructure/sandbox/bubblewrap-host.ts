import { closeSync, openSync, realpathSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  architectureUnknown,
  BWRAP_MISSING,
  type Diagnosis,
  UNSHARE_MISSING,
} from './bubblewrap-diagnosis.js';
import { ProgramResolver } from './program-resolver.js';
import { seccompFilter } from './seccomp-filter.js';
import { syscallTableFor } from './seccomp-syscalls.js';
import { buildSystemView, removeSystemView, type SystemView } from './system-view.js';
import { UserNamespacePool } from './user-namespace-pool.js';

/** What is prepared once and used by every command. */
export interface BubblewrapHost {
  readonly bwrap: string;
  readonly system: SystemView;
  /** Opens the system call filter anew: descriptors of one opening would share their position. */
  readonly openFilter: () => number;
  /** Present when the server is root. */
  readonly namespaces: UserNamespacePool | undefined;
  /** The file behind /bin/sh, which spells the limits its own way. */
  readonly shell: string;
  readonly close: () => void;
}

export function prepareHost(searchPath: string, stateFolder: string): BubblewrapHost | Diagnosis {
  const programs = new ProgramResolver(searchPath, [], []);
  const bwrap = programs.resolve('bwrap', '/');
  if (bwrap === undefined) return BWRAP_MISSING;
  const table = syscallTableFor(process.arch);
  if (table === undefined) return architectureUnknown(process.arch);
  const isRoot = process.getuid?.() === 0;
  const unshare = isRoot ? programs.resolve('unshare', '/') : undefined;
  if (isRoot && unshare === undefined) return UNSHARE_MISSING;
  const namespaces = unshare && new UserNamespacePool(unshare.path);
  const system = buildSystemView(stateFolder, !isRoot);
  const filter = storeFilter(stateFolder, seccompFilter(table));
  return {
    bwrap: bwrap.path,
    system,
    openFilter: () => openSync(`/proc/self/fd/${filter}`, 'r'),
    namespaces,
    shell: realpathSync('/bin/sh'),
    close: () => {
      namespaces?.close();
      closeSync(filter);
      removeSystemView(system);
    },
  };
}

// The name is gone at once: nothing can change the filter, and nothing is left behind.
function storeFilter(stateFolder: string, bytes: Buffer): number {
  const path = join(stateFolder, `filter-${process.pid}-${performance.now()}`);
  writeFileSync(path, bytes, { flag: 'wx', mode: 0o600 });
  const descriptor = openSync(path, 'r');
  unlinkSync(path);
  return descriptor;
}
