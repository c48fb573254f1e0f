import { runProgram } from '../../process/process-starter.js';
import { viewArguments } from '../launch/bubblewrap-arguments.js';
import { type NamespaceHelper, startHelper } from '../launch/namespace-helper.js';
import type { Mount } from '../mounts/mount-plan.js';
import { type MountTable, parseMountTable } from '../mounts/sandbox-folders.js';
import type { SystemView } from '../mounts/system-view.js';
import type { Identity } from '../process/command-identity.js';

export interface ViewMaker {
  readonly bwrap: string;
  readonly nsenter: string;
  readonly isRoot: boolean;
  readonly system: SystemView;
  /** A descriptor of a file without a name that holds a text, for the caller to close. */
  readonly textFile: (text: string) => number;
}

/** Who owns the mounts of a view. */
export interface ViewOwner {
  readonly identity: Identity;
  /** A user namespace. */
  readonly setup: number;
  /** The PID namespace of a session. */
  readonly processes?: number;
}

const MAX_TABLE_BYTES = 256 * 1024 * 1024;

// Mounted first and shared afterwards: each mount has copies of its own then, and none in the others of the view.
export const PREPARE = `
mount -n --make-rprivate / || exit 1
mount -n -c -a -T /proc/self/fd/5
mount -n --make-rshared / || exit 1
exec cat /proc/self/mountinfo`;
// Arguments in pairs. Nothing of a path is ever read as shell.
export const ADD = `
while [ $# -gt 0 ]; do mount -n -c --bind "$1" "$2"; shift 2; done
exec cat /proc/self/mountinfo`;

/** Runs a script of mounts inside a view. Answers its table of mounts. */
export async function mountInside(
  { isRoot, nsenter }: Pick<ViewMaker, 'isRoot' | 'nsenter'>,
  namespaces: { readonly setup: number; readonly mounts: number },
  {
    script,
    words,
    more,
  }: { readonly script: string; readonly words: readonly string[]; readonly more: readonly number[] },
): Promise<MountTable> {
  const credentials = isRoot ? ['-S', '0', '-G', '0'] : ['--preserve-credentials'];
  const entering = ['--user=/proc/self/fd/3', '--mount=/proc/self/fd/4', ...credentials];
  const { stdout, stderr, exitCode } = await runProgram(
    nsenter,
    [...entering, '--', '/bin/sh', '-c', script, 'sh', ...words],
    {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
      descriptors: [namespaces.setup, namespaces.mounts, ...more],
      maxBytes: MAX_TABLE_BYTES,
    },
  );
  if (exitCode !== 0) throw new Error(`Mounts could not be made: ${Buffer.from(stderr).toString().trim()}`);
  return parseMountTable(Buffer.from(stdout).toString());
}

/** Starts what mounts the base of a view, and keeps it until its input ends. */
export function startView(
  { bwrap, isRoot, system }: ViewMaker,
  { setup, processes, identity }: ViewOwner,
  base: readonly Mount[],
  stage: readonly string[],
): Promise<NamespaceHelper> {
  const inSession = processes !== undefined;
  const args = [
    ...['--userns', '3', ...(inSession ? ['--pidns', '4'] : [])],
    ...viewArguments(base, stage, system, inSession),
  ];
  const descriptors = [setup, ...(inSession ? [processes] : [])];
  return startHelper(bwrap, args, { ...(isRoot && { identity }), descriptors });
}
