import type { Mount } from './mount-plan.js';
import { GATE_DESCRIPTOR } from './start-gate.js';
import type { Identity } from './user-namespace-pool.js';

/** Descriptor numbers inside bwrap, behind the gate's. */
const SECCOMP_DESCRIPTOR = GATE_DESCRIPTOR + 1;
const USER_NAMESPACE_DESCRIPTOR = GATE_DESCRIPTOR + 2;
export const USED_DESCRIPTORS = [SECCOMP_DESCRIPTOR, USER_NAMESPACE_DESCRIPTOR];

export interface BubblewrapRequest {
  readonly mounts: readonly Mount[];
  readonly cwd: string;
  readonly network: 'none' | 'host';
  readonly systemCalls: 'filtered' | 'all';
  readonly tmpBytes: number;
  /** Present when the server is root: bwrap is this user already, and a descriptor holds its namespace. */
  readonly identity: Identity | undefined;
}

const NAMESPACES = ['--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try'];

/** Everything up to `--`. */
export function bubblewrapArguments(request: BubblewrapRequest): readonly string[] {
  const { mounts, cwd, network, systemCalls, tmpBytes } = request;
  return [
    ...NAMESPACES,
    ...(network === 'none' ? ['--unshare-net'] : []),
    ...identityArguments(request.identity),
    // The command's first process is its own child then, whose end it waits for: nothing is left to be reaped
    // by others, and each asks for its parent's death signal before the gate is reached.
    '--as-pid-1',
    '--die-with-parent',
    '--new-session',
    '--hostname',
    'sandbox',
    ...(systemCalls === 'filtered' ? ['--seccomp', String(SECCOMP_DESCRIPTOR)] : []),
    // /proc and /dev come after a bind of /, and before anything that lies in a writable bind.
    ...mounts.filter(({ path }) => path === '/').flatMap(mountArguments),
    '--proc',
    '/proc',
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
    cwd,
    '--',
  ];
}

function identityArguments(identity: BubblewrapRequest['identity']): readonly string[] {
  if (identity === undefined) return ['--unshare-user'];
  return [
    '--userns',
    String(USER_NAMESPACE_DESCRIPTOR),
    '--uid',
    String(identity.uid),
    '--gid',
    String(identity.gid),
    '--cap-drop',
    'ALL',
    '--cap-add',
    'CAP_DAC_OVERRIDE',
  ];
}

function mountArguments(mount: Mount): readonly string[] {
  switch (mount.kind) {
    case 'read':
      return ['--ro-bind', mount.source, mount.path];
    case 'write':
      return ['--bind', mount.path, mount.path];
    case 'temporary':
      return ['--perms', '1777', '--size', String(mount.bytes), '--tmpfs', mount.path];
    case 'mask-file':
      return ['--ro-bind', mount.source, mount.path];
    case 'mask-folder':
      return ['--perms', '0555', '--size', '4096', '--tmpfs', mount.path, '--remount-ro', mount.path];
    case 'link':
      return ['--symlink', mount.target, mount.path];
  }
}

// The copy of /etc keeps a place free for them; they change while the server runs.
function resolverArguments(mounts: readonly Mount[]): readonly string[] {
  const isCopy = mounts.some(
    (mount) => mount.kind === 'read' && mount.path === '/etc' && mount.source !== '/etc',
  );
  if (!isCopy) return [];
  return ['/etc/resolv.conf', '/etc/ssl/certs'].flatMap((path) => ['--ro-bind-try', path, path]);
}
