import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxJob } from '../../../application/ports/command/command-sandbox.js';
import { type BubblewrapRequest, thinArguments } from '../launch/bubblewrap-arguments.js';
import type { MountPlan } from '../mounts/mount-plan.js';
import type { NetworkMembership } from '../network/session-networks.js';
import type { Identity } from '../process/command-identity.js';
import { turnFor } from '../process/paused-processes.js';
import type { CommandSession, SessionMembership } from '../session/command-session.js';
import { nameOf } from '../session/masked-command.js';
import type { SessionProcesses } from '../session/session-processes.js';
import type { SessionView } from '../session/session-view.js';
import type { BubblewrapHost } from './bubblewrap-host.js';
import type { CommandIsolation } from './command-isolation.js';
import { PrivateIsolation } from './private-isolation.js';

const LOOKS = 100;
const PAUSE_MS = 1;
/** What a command leaves running has this long to end by itself. */
const SETTLE_MS = 400;
const SETTLE_PAUSE_MS = 5;

/**
 * A command among others of its session. Its first process may end before what it started, so that all that has its
 * view of the files is ended then; where that does not succeed, the whole session is.
 */
export class SessionIsolation implements CommandIsolation {
  readonly descriptors: readonly number[];
  readonly isFirst = false;
  #member: SessionProcesses | undefined;
  #isInterrupted = false;
  #settling: Promise<void> | undefined;
  #left: readonly string[] = [];

  private constructor(
    private readonly session: CommandSession,
    private readonly membership: SessionMembership,
    readonly view: SessionView,
    private readonly network: NetworkMembership,
    readonly start: CommandIsolation['start'],
  ) {
    const { pid } = session.namespaces;
    this.descriptors = [session.setup, membership.command, view.namespace, pid, network.net];
  }

  /** undefined: the session has ended meanwhile. */
  static async open(
    { nsenter, isRoot, views }: BubblewrapHost,
    session: CommandSession,
    { network }: SandboxJob,
    identity: Identity,
    plan: MountPlan,
  ): Promise<SessionIsolation | undefined> {
    if (nsenter === undefined) throw new Error('nsenter is missing');
    const joined = await networkOf(session, network);
    const view = await session.view(views, plan).catch((error: unknown) => {
      joined.leave();
      throw error;
    });
    const membership = await session.join().catch((error: unknown) => {
      joined.leave();
      view.leave();
      throw error;
    });
    const reach = network === 'host' ? 'host' : 'joined';
    const sandbox = { identity, isRoot, inSession: true, isNested: true, network: reach } as const;
    // Its descriptors are closed when it ends: from here to the start of the command nothing is awaited.
    if (!session.isOver)
      return new SessionIsolation(session, membership, view, joined, (request: BubblewrapRequest) => ({
        file: nsenter,
        args: thinArguments(sandbox, request),
        identity: undefined,
      }));
    membership.release(false);
    joined.leave();
    view.leave();
    return undefined;
  }

  get masks() {
    return this.session.masks;
  }

  kill(child: ChildProcess): void {
    const member = this.#memberOf(child);
    if (member === undefined) return;
    if (child.exitCode === null && child.signalCode === null) {
      this.#isInterrupted = true;
      // Only now: what is started by a process that is being killed is found in the next round.
      void this.#end(member);
      child.kill('SIGKILL');
    } else if (this.#isInterrupted) void this.#end(member);
    else this.#settling ??= this.#settle(member);
  }

  /** What a command that ended by itself had left running, by name. */
  get left(): readonly string[] {
    return this.#left;
  }

  /** bwrap's helper for entering the processes of a session may not have ended yet. */
  async first(child: ChildProcess): Promise<number | undefined> {
    const member = this.#memberOf(child);
    for (let look = 0; member !== undefined && look < LOOKS && child.exitCode === null; look += 1) {
      const first = member.first();
      if (first !== undefined) {
        member.remember(first);
        return first;
      }
      await sleep(PAUSE_MS);
    }
    return undefined;
  }

  processes(child: ChildProcess): readonly number[] {
    return this.#memberOf(child)?.list() ?? [];
  }

  processesToPause(): readonly number[] {
    return this.session.processes();
  }

  isToBlame(bytes: number, limitBytes: number): boolean {
    return this.#member !== undefined && this.session.isToBlame(this.#member, bytes, limitBytes);
  }

  prewarm(): void {
    this.session.prewarm();
  }

  async leave(isEmpty: boolean): Promise<void> {
    const member = this.#member;
    await this.#settling;
    const isEnded = member === undefined || (await this.#end(member));
    if (member !== undefined) this.session.leave(member);
    this.membership.release(isEmpty && isEnded);
    this.network.leave();
    this.view.leave();
  }

  /** A process substitution or the end of a pipe is about to end by itself, and outside nobody would end it. */
  async #settle(member: SessionProcesses): Promise<void> {
    let left = member.alive();
    for (const until = performance.now() + SETTLE_MS; left.length > 0; left = member.alive()) {
      if (performance.now() > until) break;
      await sleep(SETTLE_PAUSE_MS);
      await turnFor(left.length);
    }
    this.#left = [...new Set(left.map(nameOf).filter((name) => name !== ''))];
    if (left.length > 0) await this.#end(member);
  }

  async #end(member: SessionProcesses): Promise<boolean> {
    const isEnded = await member.end();
    if (!isEnded) await this.session.kill();
    return isEnded;
  }

  #memberOf({ pid }: ChildProcess): SessionProcesses | undefined {
    if (pid !== undefined) this.#member ??= this.session.enter(pid);
    return this.#member;
  }
}

/** The session's own network, or the one of these hosts. */
async function networkOf(
  session: CommandSession,
  network: SandboxJob['network'],
): Promise<NetworkMembership> {
  if (typeof network === 'object') return session.networks.join(network);
  return { net: session.namespaces.net, leave: () => undefined };
}

/** The shells at the gates and what sets up sandboxes count as well. */
const OWN_PROCESSES = 64;

/** In its session, alone with a view of its own, or with nothing but bwrap where that is all there is. */
export async function openIsolation(
  host: BubblewrapHost,
  job: SandboxJob,
  identity: Identity,
  plan: MountPlan,
): Promise<CommandIsolation> {
  if (host.namespaces === undefined) return PrivateIsolation.plain(host, job, identity, plan);
  for (;;) {
    const session = await sessionOf(host, job, identity);
    if (session === undefined)
      return PrivateIsolation.open(host, await host.namespaces.take(identity), job, identity, plan);
    const isolation = await SessionIsolation.open(host, session, job, identity, plan);
    if (isolation !== undefined) return isolation;
  }
}

async function sessionOf(
  { sessions }: BubblewrapHost,
  { session, systemCalls, limits }: SandboxJob,
  identity: Identity,
): Promise<CommandSession | undefined> {
  // Without the filter a command could leave the namespaces by which its processes are found.
  if (session === undefined || systemCalls !== 'filtered' || sessions === undefined) return undefined;
  return sessions.of({ id: session, identity, maxProcesses: limits.processes + OWN_PROCESSES });
}
