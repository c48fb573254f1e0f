import type { ChildProcess } from 'node:child_process';
import type { SandboxJob } from '../../../application/ports/command/command-sandbox.js';
import { BARRIER_SHELL } from '../launch/barrier-script.js';
import {
  ARGUMENTS,
  type BubblewrapRequest,
  plainArguments,
  thinArguments,
} from '../launch/bubblewrap-arguments.js';
import type { MountPlan } from '../mounts/mount-plan.js';
import { NetworkNotOpened } from '../network/listening-helper.js';
import { type NetworkOptions, SessionNetwork } from '../network/session-network.js';
import type { Identity } from '../process/command-identity.js';
import { childrenOfThread, descendantsOf } from '../process/memory-watchdog.js';
import { MaskQueue } from '../session/masked-command.js';
import type { NamespaceLease } from '../session/session-namespaces.js';
import { signalKill } from '../session/session-processes.js';
import { SessionView } from '../session/session-view.js';
import type { BubblewrapHost } from './bubblewrap-host.js';
import type { CommandIsolation } from './command-isolation.js';

interface PrivateParts {
  readonly view: SessionView | undefined;
  readonly descriptors: readonly number[];
  readonly start: CommandIsolation['start'];
  readonly leave: (isEmpty: boolean) => void;
}

const ONLY_BUBBLEWRAP =
  'Commands with network: hosts cannot run here: only bubblewrap may make namespaces on this machine, and the server has to enter theirs. Let nsenter and unshare make user namespaces, or use network: none or full.';

async function ownNetwork(
  network: SandboxJob['network'],
  options: NetworkOptions | undefined,
): Promise<SessionNetwork | undefined> {
  if (typeof network !== 'object') return undefined;
  if (options === undefined) throw new NetworkNotOpened(ONLY_BUBBLEWRAP);
  const opened = await SessionNetwork.open(network.access, options);
  opened.join(network);
  return opened;
}

/** A command alone with what it starts: when its first process ends, the kernel ends all others. */
export class PrivateIsolation implements CommandIsolation {
  readonly view: SessionView | undefined;
  readonly descriptors: readonly number[];
  readonly isFirst = true;
  readonly masks = new MaskQueue();

  private constructor(private readonly parts: PrivateParts) {
    this.view = parts.view;
    this.descriptors = parts.descriptors;
  }

  /** With a view that goes with the command. */
  static async open(
    { isRoot, nsenter, views, networks }: BubblewrapHost,
    { setup, command, release }: NamespaceLease,
    { network }: SandboxJob,
    identity: Identity,
    plan: MountPlan,
  ): Promise<PrivateIsolation> {
    if (nsenter === undefined) throw new Error('nsenter is missing');
    const own = await ownNetwork(network, networks && { ...networks, identity, setup }).catch(
      (error: unknown) => {
        release(true);
        throw error;
      },
    );
    const view = await SessionView.open(views, { identity, setup }, plan).catch((error: unknown) => {
      own?.close();
      release(true);
      throw error;
    });
    const reach = own !== undefined ? 'joined' : network === 'host' ? 'host' : 'unshared';
    const isNested = command !== undefined;
    const sandbox = { identity, isRoot, inSession: false, isNested, network: reach } as const;
    return new PrivateIsolation({
      view,
      descriptors: [setup, command ?? setup, view.namespace, ...(own === undefined ? [] : [own.net])],
      start: (request) => ({ file: nsenter, args: thinArguments(sandbox, request), identity: undefined }),
      leave: (isEmpty) => {
        view.drop();
        own?.close();
        release(isEmpty);
      },
    });
  }

  /** Where only bwrap may make namespaces: it is given the whole plan. */
  static plain(
    host: BubblewrapHost,
    { network }: SandboxJob,
    identity: Identity,
    { base, inner }: MountPlan,
  ): PrivateIsolation {
    if (typeof network === 'object') throw new NetworkNotOpened(ONLY_BUBBLEWRAP);
    const mounts = [...base, ...inner];
    const list = (request: BubblewrapRequest): string =>
      plainArguments(network, mounts, request)
        .map((word) => `${word}\0`)
        .join('');
    const file = host.openFile();
    return new PrivateIsolation({
      view: undefined,
      descriptors: [file.readable],
      start: (request) => {
        file.write(list(request));
        return {
          file: host.bwrap,
          args: ['--args', String(ARGUMENTS), '--', ...BARRIER_SHELL],
          identity: host.isRoot ? identity : undefined,
        };
      },
      leave: () => file.close(),
    });
  }

  start(request: BubblewrapRequest): ReturnType<CommandIsolation['start']> {
    return this.parts.start(request);
  }

  // The first process of a PID namespace takes all the others with it. bwrap's own death would end it too, a
  // moment later; ending it first leaves no such moment.
  kill(child: ChildProcess): void {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    for (const pid of descendantsOf(child.pid)) signalKill(pid);
    child.kill('SIGKILL');
  }

  /** bwrap has one child, and keeps its number from being used again until it ends itself. */
  async first(child: ChildProcess): Promise<number | undefined> {
    return child.pid === undefined ? undefined : childrenOfThread(child.pid, child.pid)[0];
  }

  processes({ pid }: ChildProcess): readonly number[] {
    return pid === undefined ? [] : descendantsOf(pid);
  }

  processesToPause(child: ChildProcess): readonly number[] {
    return this.processes(child);
  }

  async leave(isEmpty: boolean): Promise<void> {
    this.parts.leave(isEmpty);
  }
}
