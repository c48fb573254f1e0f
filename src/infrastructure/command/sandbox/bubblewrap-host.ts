import { closeSync, openSync, realpathSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { processStarter } from '../../process/process-starter.js';
import { commandIdentity } from '../process/command-identity.js';
import { DiskWriters } from '../process/disk-watchdog.js';
import { UserNamespacePool } from '../process/user-namespace-pool.js';
import { ProgramResolver } from '../program/program-resolver.js';
import { CommandSessions } from '../session/command-sessions.js';
import { MountPlans } from '../view/mount/planned-mounts.js';
import { buildSystemView, removeSystemView, type SystemView } from '../view/system-view.js';
import {
  architectureUnknown,
  BWRAP_MISSING,
  type Diagnosis,
  UNSHARE_MISSING,
} from './bubblewrap-diagnosis.js';
import { openGateScript } from './gate/gate-script-file.js';
import { SandboxesAhead } from './gate/sandboxes-ahead.js';
import type { WaitingSandboxHost } from './gate/waiting-sandbox.js';
import { RunningNeighbours } from './running-neighbours.js';
import { seccompFilter } from './seccomp-filter.js';
import { syscallTableFor } from './seccomp-syscalls.js';

/** What is prepared once and used by every command. */
export interface BubblewrapHost extends WaitingSandboxHost {
  readonly bwrap: string;
  readonly system: SystemView;
  readonly plans: MountPlans;
  readonly neighbours: RunningNeighbours;
  readonly writers: DiskWriters;
  /** Set up before their commands are known. */
  readonly ahead: SandboxesAhead;
  readonly isRoot: boolean;
  /** Absent where only bwrap may make user namespaces, as AppArmor has it. A root server always has them. */
  readonly namespaces: UserNamespacePool | undefined;
  /** Covers files in a sandbox that runs. */
  readonly nsenter: string | undefined;
  /** Absent where user namespaces cannot be made or entered: then each command is alone. */
  readonly sessions: CommandSessions | undefined;
  /** The file behind /bin/sh, which spells the limits its own way. */
  readonly shell: string;
  readonly close: () => Promise<void>;
}

export async function prepareHost(
  searchPath: string,
  stateFolder: string,
): Promise<BubblewrapHost | Diagnosis> {
  const programs = new ProgramResolver(searchPath, [], []);
  const bwrap = programs.resolve('bwrap', '/');
  if (bwrap === undefined) return BWRAP_MISSING;
  const table = syscallTableFor(process.arch);
  if (table === undefined) return architectureUnknown(process.arch);
  const isRoot = process.getuid?.() === 0;
  const unshare = programs.resolve('unshare', '/')?.path;
  if (isRoot && unshare === undefined) return UNSHARE_MISSING;
  const namespaces = unshare === undefined ? undefined : await openPool(unshare, isRoot);
  const system = buildSystemView(stateFolder, !isRoot);
  const nsenter = programs.resolve('nsenter', '/')?.path;
  const canShare = namespaces !== undefined && unshare !== undefined && nsenter !== undefined;
  const sessions = canShare
    ? new CommandSessions({ bwrap: bwrap.path, unshare, nsenter, isRoot, systemArguments: shownTo(system) })
    : undefined;
  const ahead = new SandboxesAhead();
  const filter = storeFilter(stateFolder, seccompFilter(table));
  return {
    startProcess: await processStarter(),
    bwrap: bwrap.path,
    system,
    plans: new MountPlans(),
    neighbours: new RunningNeighbours(),
    writers: new DiskWriters(),
    openFilter: () => openSync(`/proc/self/fd/${filter}`, 'r'),
    openScript: () => openGateScript(stateFolder),
    ahead,
    isRoot,
    namespaces,
    nsenter,
    sessions,
    shell: realpathSync('/bin/sh'),
    close: async () => {
      await ahead.close();
      await sessions?.close();
      namespaces?.close();
      closeSync(filter);
      removeSystemView(system);
    },
  };
}

/** What the shell of a session's holder needs to run. */
function shownTo({ folders, links }: SystemView): readonly string[] {
  return [
    ...folders.filter((path) => dirname(path) === '/').flatMap((path) => ['--ro-bind', path, path]),
    ...links
      .filter(({ path }) => dirname(path) === '/')
      .flatMap(({ path, target }) => ['--symlink', target, path]),
  ];
}

/** An ordinary server that cannot make namespaces itself leaves it to bwrap: then nothing is covered again. */
async function openPool(unshare: string, isRoot: boolean): Promise<UserNamespacePool | undefined> {
  const pool = new UserNamespacePool(unshare, isRoot);
  if (isRoot) return pool;
  try {
    pool.giveBack(await pool.take(commandIdentity(undefined)), true);
    return pool;
  } catch {
    return undefined;
  }
}

// The name is gone at once: nothing can change the filter, and nothing is left behind.
function storeFilter(stateFolder: string, bytes: Buffer): number {
  const path = join(stateFolder, `filter-${process.pid}-${performance.now()}`);
  writeFileSync(path, bytes, { flag: 'wx', mode: 0o600 });
  const descriptor = openSync(path, 'r');
  unlinkSync(path);
  return descriptor;
}
