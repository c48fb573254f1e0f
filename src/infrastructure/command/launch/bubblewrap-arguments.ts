import type { Mount } from '../mounts/mount-plan.js';
import { STAGED_BWRAP, STAGED_NOTHING, STAGED_PROC } from '../mounts/mount-stage.js';
import type { SystemView } from '../mounts/system-view.js';
import type { Identity } from '../process/command-identity.js';
import { BARRIER_SHELL, SCRIPT_DESCRIPTOR } from './barrier-script.js';

/** Descriptor numbers in nsenter and bwrap, behind the gate's. A shell can only close those of one digit. */
const FIRST = SCRIPT_DESCRIPTOR + 1;
const SETUP = FIRST;
const COMMAND = FIRST + 1;
const VIEW = FIRST + 2;
/** Of bwrap alone. */
export const ARGUMENTS = FIRST;
/** Of a session. */
const PROCESSES = FIRST + 3;

/** Where a command is started: from the view of its session, with processes and a network of its own or of its session. */
export interface ThinSandbox {
  readonly identity: Identity;
  readonly isRoot: boolean;
  readonly inSession: boolean;
  /** The command has a user namespace inside the one that owns its mounts. */
  readonly isNested: boolean;
  /** `joined`: one that has a descriptor, behind the others. */
  readonly network: 'unshared' | 'joined' | 'host';
}

export interface BubblewrapRequest {
  readonly systemCalls: 'filtered' | 'all';
  readonly tmpBytes: number;
  readonly system: SystemView;
  /** Where bwrap finds the system call filter, whose descriptor it closes itself. */
  readonly filter: number;
}

/** Behind the gate's: what the command has to close. */
export function inheritedBy(descriptors: readonly number[]): readonly number[] {
  return descriptors.map((_, index) => FIRST + index);
}

export function filterBehind(descriptors: readonly number[]): number {
  return FIRST + descriptors.length;
}

const BARE = ['--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'];
// The command's first process is its own child then, whose end it waits for: nothing is left to be reaped by others, and
// each asks for its parent's death signal before the gate is reached.
const OWN_PROCESSES = ['--unshare-pid', '--as-pid-1'];

/** nsenter and all of its and bwrap's arguments, up to the shell that waits at the gate. */
export function thinArguments(sandbox: ThinSandbox, request: BubblewrapRequest): readonly string[] {
  const { inSession, isNested, network, isRoot } = sandbox;
  return [
    `--mount=/proc/self/fd/${VIEW}`,
    ...(network === 'joined' ? [`--net=/proc/self/fd/${inSession ? PROCESSES + 1 : VIEW + 1}`] : []),
    ...credentials(sandbox),
    '--',
    STAGED_BWRAP,
    ...(isRoot ? ['--userns', String(SETUP)] : []),
    ...(isNested ? ['--userns2', String(COMMAND)] : []),
    ...powers(isRoot, request.systemCalls),
    ...(inSession ? ['--pidns', String(PROCESSES)] : OWN_PROCESSES),
    ...(network === 'unshared' ? ['--unshare-net'] : []),
    ...common(request),
    // Everything but the view's own devices was mounted without devices.
    ...['--dev-bind', '/', '/'],
    ...(inSession ? ['--ro-bind', STAGED_PROC, '/proc'] : procArguments(request.system, STAGED_NOTHING)),
    ...sharedMemory(request.tmpBytes),
    ...['--chdir', '/', '--', ...BARRIER_SHELL],
  ];
}

/** bwrap runs as who the command is to be, and both have the same id in there. */
function credentials({ isRoot, identity: { uid, gid } }: ThinSandbox): readonly string[] {
  return isRoot
    ? ['-S', String(uid), '-G', String(gid)]
    : [`--user=/proc/self/fd/${SETUP}`, '--preserve-credentials'];
}

/**
 * Behind bwrap's user namespace: what a view shows, for a shell that waits until it has been looked at. The commands of a
 * session see the same processes, so that their /proc lies ready; others make one of their own.
 */
export function viewArguments(
  mounts: readonly Mount[],
  stage: readonly string[],
  system: SystemView,
  inSession: boolean,
): readonly string[] {
  const own = [
    ...['--ro-bind', '/proc', '/proc', '--dev', '/dev', ...stage],
    ...(inSession ? procArguments(system, system.nothing, STAGED_PROC) : []),
    ...['--remount-ro', '/dev'],
  ];
  return [
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...shownArguments(mounts, own),
    ...['--', '/bin/sh', '-c', 'echo; read -r line'],
  ];
}

/** Where only bwrap may make namespaces: everything at once, and nothing can be changed later. */
export function plainArguments(
  network: 'none' | 'host',
  mounts: readonly Mount[],
  request: BubblewrapRequest,
): readonly string[] {
  const { system, tmpBytes } = request;
  return [
    ...['--unshare-user', ...OWN_PROCESSES],
    ...(network === 'none' ? ['--unshare-net'] : []),
    ...common(request),
    ...shownArguments(mounts, [
      ...procArguments(system, system.nothing),
      ...['--dev', '/dev', ...sharedMemory(tmpBytes), '--remount-ro', '/dev'],
    ]),
    ...['--chdir', '/'],
  ];
}

function common({ systemCalls, filter }: BubblewrapRequest): readonly string[] {
  return [
    ...BARE,
    ...['--die-with-parent', '--new-session', '--hostname', 'sandbox'],
    ...(systemCalls === 'filtered' ? ['--seccomp', String(filter)] : []),
  ];
}

/**
 * A command of a root server may do to the files in its view what their owner may. Changing modes is a part of it only as
 * long as the filter refuses set-id bits.
 */
function powers(isRoot: boolean, systemCalls: 'filtered' | 'all'): readonly string[] {
  return [
    ...['--cap-drop', 'ALL'],
    ...(isRoot ? ['--cap-add', 'CAP_DAC_OVERRIDE'] : []),
    ...(isRoot && systemCalls === 'filtered' ? ['--cap-add', 'CAP_FOWNER'] : []),
  ];
}

/** /proc and /dev come after a bind of /, and before anything that lies in a writable bind. */
function shownArguments(mounts: readonly Mount[], own: readonly string[]): readonly string[] {
  return [
    ...mounts.filter(({ path }) => path === '/').flatMap(mountArguments),
    ...own,
    ...mounts.filter(({ path }) => path !== '/').flatMap(mountArguments),
    ...['--remount-ro', '/'],
  ];
}

/**
 * bwrap keeps parts of /proc read-only where access(2) says that they are writable, which knows nothing of
 * capabilities: so all of it is made read-only, and what only root may read is covered.
 */
function procArguments(
  { rootOnly: { files, folders } }: SystemView,
  nothing: string,
  at = '/proc',
): readonly string[] {
  const there = (path: string): string => path.replace('/proc', at);
  return [
    ...['--proc', at],
    ...files.flatMap((path) => ['--ro-bind', '/dev/null', there(path)]),
    ...folders.flatMap((path) => ['--ro-bind', nothing, there(path)]),
    ...['--remount-ro', at],
  ];
}

function sharedMemory(tmpBytes: number): readonly string[] {
  return ['--perms', '1777', '--size', String(tmpBytes), '--tmpfs', '/dev/shm'];
}

function mountArguments(mount: Mount): readonly string[] {
  switch (mount.kind) {
    case 'read':
      return ['--ro-bind', mount.source, mount.path];
    case 'write':
      return ['--bind', mount.source ?? mount.path, mount.path];
    case 'temporary':
      return ['--perms', '1777', '--size', String(mount.bytes), '--tmpfs', mount.path];
    case 'mask-file':
      // Without devices it cannot be opened: an error, where an empty file would be taken for the content.
      return ['--ro-bind', mount.source ?? '/dev/null', mount.path];
    case 'mask-folder':
      return ['--ro-bind', mount.source, mount.path];
    case 'link':
      return ['--symlink', mount.target, mount.path];
  }
}
