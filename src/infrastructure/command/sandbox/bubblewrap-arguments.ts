import { GATE_SHELL, SCRIPT_DESCRIPTOR } from '../process/gate-script.js';
import type { Identity } from '../process/user-namespace-pool.js';
import type { Mount } from '../view/mount-plan.js';
import type { SystemView } from '../view/system-view.js';

/** Descriptor numbers inside bwrap, behind the gate's. A shell can only close those of one digit. */
const SECCOMP_DESCRIPTOR = SCRIPT_DESCRIPTOR + 1;
const SETUP_NAMESPACE_DESCRIPTOR = SCRIPT_DESCRIPTOR + 2;
const COMMAND_NAMESPACE_DESCRIPTOR = SCRIPT_DESCRIPTOR + 3;
/** Of a session. */
const NETWORK_DESCRIPTOR = SCRIPT_DESCRIPTOR + 4;
const PROCESSES_DESCRIPTOR = SCRIPT_DESCRIPTOR + 5;
export const USED_DESCRIPTORS = [
  SECCOMP_DESCRIPTOR,
  SETUP_NAMESPACE_DESCRIPTOR,
  COMMAND_NAMESPACE_DESCRIPTOR,
];
export const USED_IN_SESSION = [...USED_DESCRIPTORS, NETWORK_DESCRIPTOR, PROCESSES_DESCRIPTOR];

export interface BubblewrapRequest {
  readonly mounts: readonly Mount[];
  readonly network: 'none' | 'host';
  readonly systemCalls: 'filtered' | 'all';
  readonly tmpBytes: number;
  readonly system: SystemView;
  /** Absent: this machine lets nobody but bwrap make a user namespace. */
  readonly namespaces: CommandNamespaces | undefined;
}

/** bwrap runs as who the command is to be, and both have the same id in there. */
export interface CommandNamespaces {
  /** The command has a namespace of its own inside the one in which it is set up. */
  readonly nested: boolean;
  /** Its server is root, so that it may do what the owner of a file may. */
  readonly isRoot: boolean;
  /** It joins the processes of a session. `entered`: bwrap was started inside the namespace of the set-up. */
  readonly session?: { readonly entered: boolean };
}

const NAMESPACES = ['--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'];

/** Up to the shell that waits at the gate. */
export function bubblewrapArguments(request: BubblewrapRequest): readonly string[] {
  const { mounts, network, systemCalls, tmpBytes } = request;
  return [
    ...NAMESPACES,
    ...sharingArguments(request),
    ...identityArguments(request),
    '--die-with-parent',
    '--new-session',
    '--hostname',
    'sandbox',
    ...(systemCalls === 'filtered' ? ['--seccomp', String(SECCOMP_DESCRIPTOR)] : []),
    // /proc and /dev come after a bind of /, and before anything that lies in a writable bind.
    ...mounts.filter(({ path }) => path === '/').flatMap(mountArguments),
    ...procArguments(request.system),
    '--dev',
    '/dev',
    '--perms',
    '1777',
    '--size',
    String(tmpBytes),
    '--tmpfs',
    '/dev/shm',
    '--remount-ro',
    '/dev',
    ...mounts.filter(({ path }) => path !== '/').flatMap(mountArguments),
    ...(network === 'host' ? resolverArguments(mounts) : []),
    '--remount-ro',
    '/',
    '--chdir',
    '/',
    '--',
    ...GATE_SHELL,
  ];
}

function sharingArguments({ network, namespaces }: BubblewrapRequest): readonly string[] {
  if (namespaces?.session !== undefined) return ['--pidns', String(PROCESSES_DESCRIPTOR)];
  return [
    ...(network === 'none' ? ['--unshare-net'] : []),
    '--unshare-pid',
    // The command's first process is its own child then, whose end it waits for: nothing is left to be reaped
    // by others, and each asks for its parent's death signal before the gate is reached.
    '--as-pid-1',
  ];
}

/** nsenter and its arguments up to bwrap's own, for a command that joins the network of a session. */
export function enteringArguments(bwrap: string, identity: Identity, isRoot: boolean): readonly string[] {
  const { uid, gid } = identity;
  const who = isRoot
    ? ['-S', String(uid), '-G', String(gid)]
    : [`--user=/proc/self/fd/${SETUP_NAMESPACE_DESCRIPTOR}`, '--preserve-credentials'];
  return [`--net=/proc/self/fd/${NETWORK_DESCRIPTOR}`, ...who, '--', bwrap];
}

function identityArguments({ namespaces, systemCalls }: BubblewrapRequest): readonly string[] {
  if (namespaces === undefined) return ['--unshare-user'];
  const { nested, isRoot, session } = namespaces;
  return [
    ...(session?.entered ? [] : ['--userns', String(SETUP_NAMESPACE_DESCRIPTOR)]),
    ...(nested ? ['--userns2', String(COMMAND_NAMESPACE_DESCRIPTOR)] : []),
    '--cap-drop',
    'ALL',
    // A command of a root server may do to the files in its view what their owner may. Changing modes is a part of
    // it only as long as the filter refuses set-id bits.
    ...(isRoot ? ['--cap-add', 'CAP_DAC_OVERRIDE'] : []),
    ...(isRoot && systemCalls === 'filtered' ? ['--cap-add', 'CAP_FOWNER'] : []),
  ];
}

/**
 * bwrap keeps parts of /proc read-only where access(2) says that they are writable, which knows nothing of
 * capabilities: so all of it is made read-only, and what only root may read is covered.
 */
function procArguments({ rootOnly: { files, folders }, nothing }: SystemView): readonly string[] {
  return [
    '--proc',
    '/proc',
    ...files.flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...folders.flatMap((path) => ['--ro-bind', nothing, path]),
    '--remount-ro',
    '/proc',
  ];
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

/** The copy of /etc keeps a place free for them; they change while the server runs. */
export const RESOLVER_FILES = ['/etc/resolv.conf', '/etc/ssl/certs'];

function resolverArguments(mounts: readonly Mount[]): readonly string[] {
  const isCopy = mounts.some(
    (mount) => mount.kind === 'read' && mount.path === '/etc' && mount.source !== '/etc',
  );
  if (!isCopy) return [];
  return RESOLVER_FILES.flatMap((path) => ['--ro-bind-try', path, path]);
}
