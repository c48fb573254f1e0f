import type { ChildProcess } from 'node:child_process';
import { openSync, writeFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { type StartOptions, startProcess } from '../../process/process-starter.js';
import { errnoOf } from '../../state/errno.js';
import { type Identity, spawnIds } from '../process/command-identity.js';

/** Ids that are mapped one to one: CAP_DAC_OVERRIDE reaches only files whose owner the namespace knows. */
const MAPPED_IDS = 65_535;

/** A small process that makes a namespace and keeps it until its input ends. */
export type NamespaceHelper = ChildProcess & { readonly stdin: Writable; readonly stdout: Readable };

interface HelperOptions extends Pick<StartOptions, 'descriptors'> {
  /** Only root can start a process as somebody else. */
  readonly identity?: Identity;
}

export async function startHelper(
  program: string,
  args: readonly string[],
  { identity, descriptors = [] }: HelperOptions = {},
): Promise<NamespaceHelper> {
  const child = await startProcess(program, args, {
    ...(identity && spawnIds(identity)),
    descriptors,
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error(`${program} was started without pipes`);
  // One that ends early closes its pipes; its exit is what counts.
  for (const pipe of child.stdio) pipe?.on('error', () => undefined);
  return Object.assign(child, { stdin, stdout });
}

/** Waits for the next line of a helper. */
export function nextLine(helper: NamespaceHelper, program: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void =>
      reject(new Error(`${program} ended with ${code} before it was ready`));
    helper.once('error', reject);
    helper.once('exit', onExit);
    helper.stdout.once('data', () => {
      helper.off('exit', onExit);
      resolve();
    });
  });
}

/** Maps the ids of a namespace that a helper has just made. Only root may, from outside. */
export function mapAll({ pid }: NamespaceHelper, { uid, gid }: Identity): void {
  writeFileSync(`/proc/${pid}/uid_map`, wholeMap(uid));
  writeFileSync(`/proc/${pid}/gid_map`, wholeMap(gid));
}

/** Every ordinary id, and the command's own where it is beyond them. */
export function wholeMap(own: number): string {
  return `0 0 ${MAPPED_IDS}\n${own < MAPPED_IDS ? '' : `${own} ${own} 1\n`}`;
}

/** Told by a root server that lacks what root has by default, as in most containers. */
export const CANNOT_LOOK = 'The server may not look into its sandboxes, because it lacks CAP_SYS_PTRACE.';

/** The descriptor keeps the namespace alive when its last process is gone. */
export function openNamespace(pid: number | undefined, kind: 'user' | 'mnt' | 'net' | 'pid'): number {
  return lookingInto(() => openSync(`/proc/${pid}/ns/${kind}`, 'r'));
}

export function lookingInto<T>(look: () => T): T {
  try {
    return look();
  } catch (error) {
    throw errnoOf(error) === 'EACCES' || errnoOf(error) === 'EPERM' ? new Error(CANNOT_LOOK) : error;
  }
}
