import { closeSync, openSync, realpathSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { processStarter, type StartNow } from '../../process/process-starter.js';
import { type NamelessFile, openNamelessFile } from '../launch/barrier-script.js';
import {
  architectureUnknown,
  BWRAP_MISSING,
  type Diagnosis,
  UNSHARE_MISSING,
} from '../launch/bubblewrap-diagnosis.js';
import { type FilterOptions, seccompFilter } from '../launch/seccomp-filter.js';
import { syscallTableFor } from '../launch/seccomp-syscalls.js';
import { buildSystemView, removeSystemView, type SystemView } from '../mounts/system-view.js';
import type { Outside } from '../network/outside.js';
import type { NetworkOptions } from '../network/session-network.js';
import { CommandGroups, type GroupTree } from '../process/command-groups.js';
import { commandIdentity } from '../process/command-identity.js';
import { DiskWriters } from '../process/disk-watchdog.js';
import { ConcurrentCommands } from '../process/paused-processes.js';
import { ProgramResolver } from '../program/program-resolver.js';
import { CommandSessions } from '../session/command-sessions.js';
import { PrivateNamespaces } from '../session/session-namespaces.js';
import type { ViewMaker } from '../session/view-mounts.js';

/** What is prepared once and used by every command. */
export interface BubblewrapHost {
  readonly bwrap: string;
  readonly startProcess: StartNow;
  /** Opens the system call filter anew: descriptors of one opening would share their position. */
  readonly openFilter: (options: FilterOptions) => number;
  readonly openFile: () => NamelessFile;
  readonly system: SystemView;
  readonly views: ViewMaker;
  readonly commands: ConcurrentCommands;
  readonly writers: DiskWriters;
  /** Absent where none was delegated to the server. */
  readonly groups: CommandGroups | undefined;
  readonly isRoot: boolean;
  /** Absent where only bwrap may make namespaces, as AppArmor has it. A root server always has them. */
  readonly namespaces: PrivateNamespaces | undefined;
  readonly nsenter: string | undefined;
  /** How networks by host are made; absent where the server cannot enter them. */
  readonly networks: Omit<NetworkOptions, 'identity' | 'setup'> | undefined;
  /** Absent where user namespaces cannot be made or entered: then each command is alone. */
  readonly sessions: CommandSessions | undefined;
  /** The file behind /bin/sh, which spells the limits its own way. */
  readonly shell: string;
  readonly close: () => Promise<void>;
}

export interface HostOptions {
  /** The server's PATH: where bwrap is looked for. */
  readonly searchPath: string;
  /** A folder that no command can ever see. */
  readonly stateFolder: string;
  /** As on machines where nothing but bwrap may make namespaces. */
  readonly onlyBubblewrap?: boolean;
  /** The kernel's where absent. */
  readonly groups?: GroupTree;
  /** How hosts are looked up and reached. */
  readonly outside?: Outside;
}

export async function prepareHost(options: HostOptions): Promise<BubblewrapHost | Diagnosis> {
  const { stateFolder } = options;
  const programs = new ProgramResolver(options.searchPath, [], []);
  const bwrap = programs.resolve('bwrap', '/')?.path;
  if (bwrap === undefined) return BWRAP_MISSING;
  const table = syscallTableFor(process.arch);
  if (table === undefined) return architectureUnknown(process.arch);
  const isRoot = process.getuid?.() === 0;
  const [unshare, nsenter] = ['unshare', 'nsenter'].map((name) => programs.resolve(name, '/')?.path);
  if (isRoot && (unshare === undefined || nsenter === undefined)) return UNSHARE_MISSING;
  const system = buildSystemView(stateFolder, !isRoot);
  const openFile = (): NamelessFile => openNamelessFile(stateFolder);
  // Before anything is started that would have to move as well.
  const groups = CommandGroups.prepare(options.groups);
  const shared = { bwrap, isRoot };
  const canMake = unshare && nsenter && !options.onlyBubblewrap;
  const making = { ...shared, systemArguments: shownTo(system), outside: options.outside };
  const makers = canMake ? { ...making, unshare, nsenter } : undefined;
  const namespaces = makers && (await privateNamespaces(new PrivateNamespaces(makers), isRoot));
  const sessions = namespaces && makers && new CommandSessions(makers);
  const filter = storeFilter(stateFolder, seccompFilter(table));
  const socketFilter = storeFilter(stateFolder, seccompFilter(table, { unixSockets: true }));
  return {
    ...shared,
    startProcess: await processStarter(),
    system,
    views: { ...shared, nsenter: nsenter ?? '', system, textFile: textIn(openFile) },
    commands: new ConcurrentCommands(),
    writers: new DiskWriters(),
    groups,
    openFilter: ({ unixSockets = false }) => openAgain(unixSockets ? socketFilter : filter),
    openFile,
    namespaces,
    nsenter,
    networks: namespaces && makers,
    sessions,
    shell: realpathSync('/bin/sh'),
    close: async () => {
      await sessions?.close();
      await namespaces?.close();
      for (const descriptor of [filter, socketFilter]) closeSync(descriptor);
      removeSystemView(system);
    },
  };
}

function openAgain(descriptor: number): number {
  return openSync(`/proc/self/fd/${descriptor}`, 'r');
}

function textIn(openFile: () => NamelessFile): ViewMaker['textFile'] {
  return (text) => {
    const file = openFile();
    try {
      file.write(text);
      return openAgain(file.readable);
    } finally {
      file.close();
    }
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

/** An ordinary server that cannot make namespaces itself leaves it to bwrap. */
async function privateNamespaces(
  namespaces: PrivateNamespaces,
  isRoot: boolean,
): Promise<PrivateNamespaces | undefined> {
  if (isRoot) return namespaces;
  try {
    const identity = commandIdentity(undefined);
    const { release } = await namespaces.take(identity);
    release(true);
    return namespaces;
  } catch {
    await namespaces.close();
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
