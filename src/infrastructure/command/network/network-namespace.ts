import { readlinkSync } from 'node:fs';
import { nextLine, openNamespace, startHelper } from '../launch/namespace-helper.js';
import type { Identity } from '../process/command-identity.js';
import { descendantsOf } from '../process/memory-watchdog.js';
import { NetworkNotOpened } from './listening-helper.js';

export interface NetworkMaker {
  readonly bwrap: string;
  readonly nsenter: string;
  readonly isRoot: boolean;
  readonly identity: Identity;
  /** The user namespace that will own the network. */
  readonly setup: number;
  /** Folders and links of the system, so that a shell runs. */
  readonly systemArguments: readonly string[];
}

/** Makes a network with nothing but a loopback. Its descriptor keeps it. */
export async function makeNetwork({
  bwrap,
  isRoot,
  identity,
  setup,
  systemArguments,
}: NetworkMaker): Promise<number> {
  const args = [
    ...['--userns', '3', '--unshare-net', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...systemArguments,
    ...['--', '/bin/sh', '-c', 'echo; read -r line'],
  ];
  const helper = await startHelper(bwrap, args, { ...(isRoot && { identity }), descriptors: [setup] });
  try {
    await nextLine(helper, bwrap);
    const outside = readlinkSync('/proc/self/ns/net');
    const inside = descendantsOf(helper.pid ?? 0).find((pid) => networkOf(pid) !== outside);
    if (inside === undefined) throw new NetworkNotOpened('bwrap made no network of its own.');
    return openNamespace(inside, 'net');
  } finally {
    helper.stdin.end();
  }
}

function networkOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    // It has ended since its number was read.
    return undefined;
  }
}
