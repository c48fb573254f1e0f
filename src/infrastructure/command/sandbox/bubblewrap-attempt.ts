import type { ChildProcess } from 'node:child_process';
import type { SandboxJob } from '../../../application/ports/command/command-sandbox.js';
import { commandIdentity, prepareHome, prepareTmp } from '../process/command-identity.js';
import { CommandProcess } from '../process/command-process.js';
import { gateScript } from '../process/gate-script.js';
import { limitsScript } from '../process/limits-script.js';
import type { ProcessEnding } from '../process/process-ending.js';
import { terminateAll } from '../process/process-group.js';
import type { ProcessLaunch, StandardInput } from '../process/process-launch.js';
import { socketBytes } from '../process/socket-memory.js';
import type { Identity } from '../process/user-namespace-pool.js';
import type { Toolchains } from '../program/toolchains.js';
import type { CommandSession } from '../session/command-session.js';
import type { PlannedMounts } from '../view/mount/planned-mounts.js';
import { watchBegun } from './begun-command.js';
import { bubblewrapArguments } from './bubblewrap-arguments.js';
import type { BubblewrapHost } from './bubblewrap-host.js';
import type { CommandQuarters } from './command-quarters.js';
import { enterQuarters, sessionOf } from './enter-quarters.js';
import { GateCheck } from './gate/gate-check.js';
import { type SandboxStart, WaitingSandbox } from './gate/waiting-sandbox.js';
import { SessionQuarters, sessionStart } from './session-quarters.js';

/** bwrap and the shell at the gate count as well. */
const OWN_PROCESSES = 2;
/** Live in memory. */
const SHARED_MEMORY = ['/dev/shm'];
const TEMPORARY_FOLDERS = ['/tmp', ...SHARED_MEMORY];

/** Where a command finds its sandbox. */
interface Place {
  readonly quarters: CommandQuarters;
  /** Absent: it is yet to be set up. */
  readonly standing?: WaitingSandbox;
  readonly start: SandboxStart;
}

/** One sandbox for one command: planned, set up or found standing, held against the plan, and only then let go. */
export class BubblewrapAttempt {
  /** Of the sandbox; nobody else can have its number while bwrap lives. */
  #first: number | undefined;
  readonly #identity: Identity;
  #plan: PlannedMounts;

  constructor(
    private readonly host: BubblewrapHost,
    private readonly toolchains: Toolchains,
    private readonly job: SandboxJob,
    /** Called when the command is about to begin. */
    private readonly onSetUp: () => void = () => undefined,
  ) {
    this.#identity = commandIdentity(job.view.write[0]);
    // Before the plan, which leaves out what is not there.
    prepareHome(job.home, this.#identity);
    if (job.tmp !== undefined) prepareTmp(job.tmp, this.#identity);
    this.#plan = this.#planned();
  }

  async run(signal: AbortSignal): Promise<ProcessEnding> {
    try {
      const session = await sessionOf(this.host, this.job, this.#identity);
      const ahead = session && (await this.#ahead(session));
      const ending = ahead && (await this.#runIn(ahead, signal));
      if (ending !== undefined && !isUnused(ending)) return this.#over(ending, session);
      // What stood ready did not suit any more, and the same may be true of the plan.
      if (ending !== undefined) this.#plan = this.#planned();
      return this.#over(await this.#runIn(await this.#anew(), signal), session);
    } catch (error) {
      return { kind: 'not-started', error: error instanceof Error ? error : new Error(String(error)) };
    }
  }

  #planned(): PlannedMounts {
    const { host, toolchains, job } = this;
    const { view, home, tmp, without } = job;
    const request = {
      system: host.system,
      toolchains,
      view,
      home,
      tmpBytes: temporaryBytes(job),
      ...(tmp !== undefined && { tmp }),
      ...(without !== undefined && { without }),
    };
    return host.plans.of(request, job.currentView !== undefined);
  }

  /** The sandbox that stands ready in the session, where it is just like the one that would be made now. */
  async #ahead(session: CommandSession): Promise<Place | undefined> {
    const { host, job } = this;
    if (job.stdin !== undefined || job.onInput !== undefined) return undefined;
    const start = this.#start(sessionStart(host, job, this.#identity));
    const standing = await host.ahead.take(session, (sandbox) => sandbox.suits(start));
    return standing && { quarters: standing.quarters, standing, start };
  }

  async #anew(): Promise<Place> {
    const quarters = await enterQuarters(this.host, this.job, this.#identity);
    return { quarters, start: this.#start(quarters) };
  }

  async #runIn(place: Place, signal: AbortSignal): Promise<ProcessEnding> {
    const { quarters, standing } = place;
    let sandbox: WaitingSandbox | undefined;
    const start = (stdin: StandardInput): WaitingSandbox => {
      sandbox = standing ?? WaitingSandbox.start(this.host, quarters, place.start, stdin);
      return sandbox;
    };
    const tell = (): void => sandbox?.tell(this.#script(place));
    let isEmpty = false;
    let ending: ProcessEnding;
    try {
      ending = await new CommandProcess(this.#launch(place, start, tell), this.job).run(signal);
      isEmpty = ending.kind === 'exited' && ending.begun && ending.signal === undefined;
      if (!isEmpty) this.host.plans.forget(this.job.view);
    } finally {
      sandbox?.close();
      // Cancelled before it was used.
      if (sandbox === undefined && standing !== undefined) await standing.end();
      else await quarters.leave(isEmpty);
    }
    return ending.kind === 'exited' ? { ...ending, left: quarters.left ?? [] } : ending;
  }

  /** The next command of the session most likely wants the very same sandbox. */
  #over(ending: ProcessEnding, session: CommandSession | undefined): ProcessEnding {
    const { host, job } = this;
    const isOrderly = ending.kind === 'exited' && ending.begun;
    // With the host's network it would go on showing how names were looked up when it was made.
    if (session === undefined || !isOrderly || job.network === 'host') return ending;
    host.ahead.prepare(session, job.session, async () => {
      const quarters = await SessionQuarters.enter(host, job, this.#identity, session);
      return quarters && WaitingSandbox.start(host, quarters, this.#start(quarters), 'ignore');
    });
    return ending;
  }

  #launch(place: Place, start: ProcessLaunch['start'], tell: () => void): ProcessLaunch {
    const { quarters } = place;
    return {
      start,
      gate: {
        admit: (child) => this.#admit(child, place),
        begin: (child, end) => {
          tell();
          this.onSetUp();
          return watchBegun(this.host, this.job, { child, quarters, pid: this.#first }, end);
        },
      },
      temporary: () => this.#inMemory(),
      processes: (child) => quarters.processes(child),
      sockets: () => this.#sockets(),
      ...(isShared(quarters) && {
        isToBlame: (bytes, together) => quarters.isToBlame(bytes, this.job.limits.memoryBytes - together),
      }),
      terminate: (child) => terminateAll(quarters.processes(child)),
      kill: (child) => quarters.kill(child),
    };
  }

  /** With the host's network nobody knows whose a socket is. */
  #sockets(): number {
    const { network, limits } = this.job;
    return this.#first === undefined || network === 'host' ? 0 : socketBytes(this.#first, limits.memoryBytes);
  }

  #inMemory(): readonly string[] {
    if (this.#first === undefined) return [];
    const folders = this.job.tmp === undefined ? TEMPORARY_FOLDERS : SHARED_MEMORY;
    return folders.map((folder) => `/proc/${this.#first}/root${folder}`);
  }

  #start({ start, namespaces }: Pick<CommandQuarters, 'start' | 'namespaces'>): SandboxStart {
    const { network, systemCalls } = this.job;
    const options = bubblewrapArguments({
      mounts: this.#plan.mounts,
      network,
      systemCalls,
      tmpBytes: temporaryBytes(this.job),
      system: this.host.system,
      namespaces,
    });
    return { file: start.file, args: [...start.before, ...options], identity: start.identity };
  }

  #script({ quarters }: Place): string {
    const { program, limits, cwd, env, home } = this.job;
    const processes = limits.processes + OWN_PROCESSES;
    return gateScript({
      program,
      cwd,
      environment: { ...this.toolchains.environment, ...env, HOME: home },
      limits: limitsScript({ ...limits, processes }, this.host.shell, 'namespace'),
      used: quarters.used,
      isFirst: quarters.namespaces?.session === undefined,
    });
  }

  async #admit(child: ChildProcess, { quarters, standing }: Place): Promise<string | undefined> {
    const pid = await quarters.first(child);
    if (pid === undefined) return 'Its first process has ended.';
    this.#first = pid;
    const check = new GateCheck(this.job, this.#plan, pid);
    return standing === undefined ? check.ofFresh() : check.ofAhead();
  }
}

/** Others of its session count together with it. */
function isShared(
  quarters: CommandQuarters,
): quarters is CommandQuarters & Required<Pick<CommandQuarters, 'isToBlame'>> {
  return quarters.isToBlame !== undefined;
}

/** Nothing has run in it. */
function isUnused(ending: ProcessEnding): boolean {
  return ending.kind === 'not-admitted' || (ending.kind === 'exited' && !ending.begun);
}

/** They live in memory, so that they may not hold more than it. */
function temporaryBytes({ limits }: SandboxJob): number {
  return Math.min(limits.tmpBytes, limits.memoryBytes);
}
