import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmdirSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxLimits } from '../../../application/ports/command/command-sandbox.js';
import { descendantsOf } from './memory-watchdog.js';

/** Where the kernel keeps its groups, and what only a kernel does with their folders: it fills and empties them. */
export interface GroupTree {
  readonly root: string;
  /** As /proc/self/cgroup has it. */
  readonly membership: () => string;
  readonly make: (folder: string) => void;
  readonly remove: (folder: string) => void;
}

export const KERNEL_GROUPS: GroupTree = {
  root: '/sys/fs/cgroup',
  membership: () => readFileSync('/proc/self/cgroup', 'utf8'),
  make: (folder) => mkdirSync(folder),
  remove: (folder) => rmdirSync(folder),
};

type GroupLimits = Pick<SandboxLimits, 'memoryBytes' | 'processes'>;

const CONTROLLERS = ['memory', 'pids'];
/** Where the server itself goes: a group with groups in it may hold no process. */
const SERVER_GROUP = 'castellan-server';
/** A process that was killed leaves its group a moment later. */
const LOOKS = 100;
const PAUSE_MS = 5;
const MOST_LEFT = 64;

interface Delegated {
  readonly folder: string;
  /** Processes to be moved before groups can be made: the server's and those that it has started. */
  readonly own: readonly number[];
}

/** Changes nothing. The answer `why` says what is not as it must be. */
export function findDelegated(tree: GroupTree = KERNEL_GROUPS): Delegated | { readonly why: string } {
  try {
    const path = /^0::(\/.*)$/m.exec(tree.membership())?.[1];
    if (path === undefined || path.startsWith('/..')) return { why: 'the server is in no group of it' };
    const current = join(tree.root, path);
    const isPlaced = basename(current) === SERVER_GROUP;
    const folder = isPlaced ? dirname(current) : current;
    if (!existsSync(join(folder, 'cgroup.controllers'))) return { why: `none is at ${folder}` };
    const controllers = read(folder, 'cgroup.controllers').split(/\s+/);
    const absent = CONTROLLERS.filter((name) => !controllers.includes(name));
    if (absent.length > 0) return { why: `the server's group has no controller ${absent.join(' and ')}` };
    // The group of the whole machine has no type.
    if (read(folder, 'cgroup.type').trim() !== 'domain') return { why: "the server's group holds threads" };
    for (const name of ['.', 'cgroup.procs', 'cgroup.subtree_control'])
      accessSync(join(folder, name), constants.W_OK);
    const own = read(folder, 'cgroup.procs').split('\n').filter(Boolean).map(Number);
    const ours = new Set([process.pid, ...descendantsOf(process.pid)]);
    if (!own.every((pid) => ours.has(pid))) return { why: "others' processes are in the server's group" };
    return { folder, own };
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) };
  }
}

/** A cgroup v2 for each command, where one was delegated to the server. */
export class CommandGroups {
  #count = 0;
  /** Whose last process took longer to end than anybody waited. */
  readonly #left = new Set<string>();

  private constructor(
    private readonly tree: GroupTree,
    private readonly folder: string,
  ) {}

  /** undefined: no group can be made here. The server's processes are then where they were. */
  static prepare(tree: GroupTree = KERNEL_GROUPS): CommandGroups | undefined {
    const found = findDelegated(tree);
    if ('why' in found) return undefined;
    const { folder, own } = found;
    const server = join(folder, SERVER_GROUP);
    try {
      if (own.length > 0) tree.make(server);
      for (const pid of own) write(server, 'cgroup.procs', pid);
      write(folder, 'cgroup.subtree_control', CONTROLLERS.map((name) => `+${name}`).join(' '));
      return new CommandGroups(tree, folder);
    } catch {
      // A controller that the parent keeps, or a process that has just come: all as without groups.
      moveBack(tree, server, folder, own);
      return undefined;
    }
  }

  /**
   * Puts a process that waits at its barrier, and all that it will start, into a group of its own. undefined where
   * that fails: the watchdog and the limits of processes hold it to the same figures, as on machines without groups.
   */
  hold(pid: number, { memoryBytes, processes }: GroupLimits): CommandGroup | undefined {
    for (const left of this.#left) this.#remove(left);
    this.#count += 1;
    const folder = join(this.folder, `castellan-${process.pid}-${this.#count}`);
    if (this.#left.size >= MOST_LEFT || !attempt(() => this.tree.make(folder))) return undefined;
    try {
      write(folder, 'memory.max', memoryBytes);
      write(folder, 'memory.oom.group', 1);
      write(folder, 'pids.max', processes);
      // Absent where swap is not counted.
      attempt(() => write(folder, 'memory.swap.max', 0));
      write(folder, 'cgroup.procs', pid);
      return new CommandGroup(folder, () => this.#remove(folder));
    } catch {
      this.#remove(folder);
      return undefined;
    }
  }

  #remove(folder: string): boolean {
    const isGone = attempt(() => this.tree.remove(folder));
    if (isGone) this.#left.delete(folder);
    else this.#left.add(folder);
    return isGone;
  }
}

export class CommandGroup {
  #ranOut = false;

  constructor(
    private readonly folder: string,
    private readonly remove: () => boolean,
  ) {}

  /** The kernel ended it for its memory. Known when it is closed. */
  get ranOut(): boolean {
    return this.#ranOut;
  }

  /** Ends what is left in it. */
  async close(): Promise<void> {
    attempt(() => {
      const events = read(this.folder, 'memory.events');
      // `oom` alone may be reclaimed, `oom_kill` alone the whole machine's want.
      this.#ranOut = ['oom', 'oom_kill'].every((name) => new RegExp(`^${name} [1-9]`, 'm').test(events));
    });
    // Before Linux 5.14 there is none: then those who find the processes have ended them.
    attempt(() => write(this.folder, 'cgroup.kill', 1));
    for (let look = 0; look < LOOKS && !this.remove(); look += 1) await sleep(PAUSE_MS);
  }
}

function moveBack(tree: GroupTree, server: string, folder: string, own: readonly number[]): void {
  if (own.length === 0) return;
  for (const pid of own) attempt(() => write(folder, 'cgroup.procs', pid));
  attempt(() => tree.remove(server));
}

function read(folder: string, name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

/** Never makes a file: what is not there the kernel does not know. */
function write(folder: string, name: string, value: number | string): void {
  const descriptor = openSync(join(folder, name), constants.O_WRONLY | constants.O_APPEND);
  try {
    writeSync(descriptor, `${value}\n`);
  } finally {
    closeSync(descriptor);
  }
}

/** Whether it was done. */
function attempt(step: () => void): boolean {
  try {
    step();
    return true;
  } catch {
    return false;
  }
}
