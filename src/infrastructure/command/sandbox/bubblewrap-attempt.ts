import type { ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxJob, SandboxView } from '../../../application/ports/command/command-sandbox.js';
import { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import { barrierScript, type NamelessFile } from '../launch/barrier-script.js';
import { filterBehind, inheritedBy } from '../launch/bubblewrap-arguments.js';
import { type MountPlan, planMounts } from '../mounts/mount-plan.js';
import type { CommandGroup } from '../process/command-groups.js';
import { commandIdentity, type Identity, prepareHome, prepareTmp } from '../process/command-identity.js';
import { CommandProcess } from '../process/command-process.js';
import { terminateAll } from '../process/interruption.js';
import { limitsScript } from '../process/limits-script.js';
import { socketBytes } from '../process/memory-watchdog.js';
import { hasEnded } from '../process/paused-processes.js';
import type { ProcessEnding } from '../process/process-ending.js';
import { type ProcessLaunch, type StandardInput, startAtBarrier } from '../process/process-launch.js';
import type { Toolchains } from '../program/toolchains.js';
import { WrongMount } from '../session/session-view.js';
import { type WatchedCommand, watchBegun } from './begun-command.js';
import type { BubblewrapHost } from './bubblewrap-host.js';
import type { CommandIsolation } from './command-isolation.js';
import { openIsolation } from './session-isolation.js';

/** bwrap and the shell at the gate count as well. */
const OWN_PROCESSES = 2;
/** Live in memory. */
const SHARED_MEMORY = ['/dev/shm'];
const TEMPORARY_FOLDERS = ['/tmp', ...SHARED_MEMORY];
/** How often a view is looked at before its command begins, where the tree changes meanwhile. */
const LOOKS = 16;
const PAUSE_MS = 2;

/** One sandbox for one command: planned, set up from its session's view, looked at, and only then let go. */
export class BubblewrapAttempt {
  /** Of the sandbox; nobody else can have its number while bwrap lives. */
  #first: number | undefined;
  #plan: MountPlan;
  #watched: WatchedCommand | undefined;
  #group: CommandGroup | undefined;
  readonly #identity: Identity;

  constructor(
    private readonly host: BubblewrapHost,
    private readonly toolchains: Toolchains,
    private readonly job: SandboxJob,
    /** Called when the command is about to begin. */
    private readonly onBegin: () => void = () => undefined,
  ) {
    this.#identity = commandIdentity(job.view.write[0]);
    // Before the plan, which leaves out what is not there.
    prepareHome(job.home, this.#identity);
    if (job.tmp !== undefined) prepareTmp(job.tmp, this.#identity);
    this.#plan = this.#planned(job.view);
  }

  async run(signal: AbortSignal): Promise<ProcessEnding> {
    try {
      const isolation = await openIsolation(this.host, this.job, this.#identity, this.#plan);
      return await this.#runIn(isolation, signal);
    } catch (error) {
      if (error instanceof WrongMount) return { kind: 'not-admitted', why: error.message };
      return { kind: 'not-started', error: error instanceof Error ? error : new Error(String(error)) };
    }
  }

  #planned(view: SandboxView): MountPlan {
    const { home, tmp, without, network } = this.job;
    return planMounts({
      system: this.host.system,
      toolchains: this.toolchains,
      view,
      home,
      network: typeof network === 'object' ? 'hosts' : network,
      tmpBytes: temporaryBytes(this.job),
      ...(tmp !== undefined && { tmp }),
      ...(without !== undefined && { without }),
    });
  }

  async #runIn(isolation: CommandIsolation, signal: AbortSignal): Promise<ProcessEnding> {
    const script = this.host.openFile();
    let isEmpty = false;
    let ending: ProcessEnding;
    try {
      ending = await new CommandProcess(this.#launch(isolation, script), this.job).run(signal);
      isEmpty = ending.kind === 'exited' && ending.begun && ending.signal === undefined;
    } finally {
      script.close();
      await isolation.leave(isEmpty);
      await this.#group?.close();
    }
    if (ending.kind !== 'exited') return ending;
    if (this.#group?.ranOut) return { kind: 'memory', output: ending.output };
    return { ...ending, left: isolation.left ?? [], lost: this.#watched?.notes ?? [] };
  }

  #launch(isolation: CommandIsolation, script: NamelessFile): ProcessLaunch {
    return {
      start: (stdin) => this.#start(isolation, script, stdin),
      gate: {
        admit: (child) => this.#admit(child, isolation),
        begin: (child, end) => {
          script.write(this.#script(isolation));
          this.onBegin();
          this.#watched = watchBegun(this.host, this.job, { child, isolation }, end);
          return this.#watched.over;
        },
      },
      temporary: () => this.#inMemory(),
      processes: (child) => isolation.processes(child),
      sockets: () => this.#sockets(),
      ...(isShared(isolation) && {
        isToBlame: (bytes, together) => isolation.isToBlame(bytes, this.job.limits.memoryBytes - together),
      }),
      terminate: (child) => terminateAll(isolation.processes(child)),
      kill: (child) => isolation.kill(child),
    };
  }

  #start(
    isolation: CommandIsolation,
    script: NamelessFile,
    stdin: StandardInput,
  ): ReturnType<typeof startAtBarrier> {
    const { systemCalls, network, unixSockets = false } = this.job;
    // With the host's network, abstract names are the host's too.
    const options = { unixSockets: unixSockets && network !== 'host' };
    const filter = systemCalls === 'filtered' ? this.host.openFilter(options) : undefined;
    try {
      const start = isolation.start({
        systemCalls,
        tmpBytes: temporaryBytes(this.job),
        system: this.host.system,
        filter: filterBehind(isolation.descriptors),
      });
      const descriptors = [
        script.readable,
        ...isolation.descriptors,
        ...(filter === undefined ? [] : [filter]),
      ];
      const place = { cwd: '/', env: NO_VARIABLES, descriptors, detached: false };
      return startAtBarrier(this.host.startProcess, { ...start, ...place }, stdin);
    } finally {
      if (filter !== undefined) closeSync(filter);
    }
  }

  #inMemory(): readonly string[] {
    if (this.#first === undefined) return [];
    const folders = this.job.tmp === undefined ? TEMPORARY_FOLDERS : SHARED_MEMORY;
    return folders.map((folder) => `/proc/${this.#first}/root${folder}`);
  }

  /** With the host's network nobody knows whose a socket is. */
  #sockets(): number {
    const { network, limits } = this.job;
    return this.#first === undefined || network === 'host' ? 0 : socketBytes(this.#first, limits.memoryBytes);
  }

  #script(isolation: CommandIsolation): string {
    const { program, cwd, env, home, joinStreams = false } = this.job;
    return barrierScript({
      program,
      cwd,
      environment: { ...this.toolchains.environment, ...env, HOME: home },
      limits: limitsScript(this.#limits(), this.host.shell, 'namespace'),
      used: inheritedBy(isolation.descriptors),
      isFirst: isolation.isFirst,
      joinStreams,
    });
  }

  #limits(): SandboxJob['limits'] {
    const { limits } = this.job;
    return { ...limits, processes: limits.processes + OWN_PROCESSES };
  }

  async #admit(child: ChildProcess, isolation: CommandIsolation): Promise<string | undefined> {
    const pid = await isolation.first(child);
    if (pid === undefined) return 'Its first process has ended.';
    this.#first = pid;
    this.#group = this.host.groups?.hold(pid, this.#limits());
    let { view } = this.job;
    let why: string | undefined;
    for (let looks = 0; looks < LOOKS && !hasEnded(pid); looks += 1) {
      if (looks > 0) await sleep(Math.random() * PAUSE_MS);
      const current: Result<SandboxView, ToolError> = (await this.job.currentView?.()) ?? Result.ok(view);
      if (!current.success) return current.error.message;
      const isSame = isSameView(current.value, view);
      if (isSame && (isolation.view?.holds(this.#plan) ?? true)) return undefined;
      why = isSame ? SOMETHING_MOVED : VIEW_CHANGED;
      // What only bwrap mounts cannot be changed any more.
      if (isolation.view === undefined) return why;
      view = current.value;
      this.#plan = this.#planned(view);
      if (!(await isolation.view.hold(this.#plan))) return why;
    }
    return why ?? 'It has ended.';
  }
}

const SOMETHING_MOVED = 'A file that the sandbox hides or protects was moved while it was being set up.';
const VIEW_CHANGED = 'Files that the sandbox hides or protects changed while it was being set up.';

/** nsenter and bwrap run outside the sandbox: a variable of the command could make them load its code there. */
const NO_VARIABLES = {};

/** Only a tree numbers its views; any other one is what it is. */
function isSameView(one: SandboxView, other: SandboxView): boolean {
  return one.version === undefined ? one === other : one.version === other.version;
}

/** Others of its session count together with it. */
function isShared(
  isolation: CommandIsolation,
): isolation is CommandIsolation & Required<Pick<CommandIsolation, 'isToBlame'>> {
  return isolation.isToBlame !== undefined;
}

/** They live in memory, so that they may not hold more than it. */
function temporaryBytes({ limits }: SandboxJob): number {
  return Math.min(limits.tmpBytes, limits.memoryBytes);
}
