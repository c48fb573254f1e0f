import type { ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxJob, SandboxView } from '../../../application/ports/command/command-sandbox.js';
import type { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import { errnoOf } from '../../state/errno.js';
import { commandIdentity, prepareHome, prepareTmp } from '../process/command-identity.js';
import { CommandProcess } from '../process/command-process.js';
import { DiskAccount, watchDisk } from '../process/disk-watchdog.js';
import { gatedCommand, limitsScript } from '../process/limits-script.js';
import type { ProcessEnding } from '../process/process-ending.js';
import type { LaunchGate, ProcessLaunch } from '../process/process-launch.js';
import type { Identity } from '../process/user-namespace-pool.js';
import type { Toolchains } from '../program/toolchains.js';
import { hasEnded } from '../view/mount/frozen-processes.js';
import { findWrongMount } from '../view/mount/mount-check.js';
import type { PlannedMounts } from '../view/mount/planned-mounts.js';
import { SandboxedCommand } from '../view/mount/sandboxed-command.js';
import { bubblewrapArguments, splitEnvironment } from './bubblewrap-arguments.js';
import { CANNOT_LOOK } from './bubblewrap-diagnosis.js';
import type { BubblewrapHost } from './bubblewrap-host.js';
import type { CommandQuarters } from './command-quarters.js';
import { enterQuarters } from './enter-quarters.js';
import { mebibytes } from './sandbox-hint.js';

/** How often a sandbox is held against its plan, and how often at least where nothing moves meanwhile. */
const LOOKS = 16;
const LOOKS_AT_LEAST = 4;
const PAUSE_MS = 2;
/** bwrap and the shell at the gate count as well. */
const OWN_PROCESSES = 2;
/** Live in memory. */
const SHARED_MEMORY = ['/dev/shm'];
const TEMPORARY_FOLDERS = ['/tmp', ...SHARED_MEMORY];

/** One sandbox for one command: planned, set up, held against the plan, and only then let go. */
export class BubblewrapAttempt {
  /** What was asked for just before the command would have begun, where it differs from what was planned with. */
  #nextView: Result<SandboxView, ToolError> | undefined;
  /** Of the sandbox; nobody else can have its number while bwrap lives. */
  #first: number | undefined;
  readonly #identity: Identity;
  readonly #plan: PlannedMounts;

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
    const tmpBytes = temporaryBytes(job);
    const { view, home, tmp, without } = job;
    const request = {
      system: host.system,
      toolchains,
      view,
      home,
      tmpBytes,
      ...(tmp !== undefined && { tmp }),
      ...(without !== undefined && { without }),
    };
    this.#plan = host.plans.of(request, job.currentView !== undefined);
  }

  async run(signal: AbortSignal): Promise<ProcessEnding> {
    const { openFilter } = this.host;
    let quarters: CommandQuarters;
    try {
      quarters = await enterQuarters(this.host, this.job, this.#identity);
    } catch (error) {
      return { kind: 'not-started', error: error instanceof Error ? error : new Error(String(error)) };
    }
    const filter = openFilter();
    let isEmpty = false;
    let ending: ProcessEnding;
    try {
      ending = await new CommandProcess(this.#launch(filter, quarters), this.job).run(signal);
      isEmpty = ending.kind === 'exited' && ending.begun && ending.signal === undefined;
      if (!isEmpty) this.host.plans.forget(this.job.view);
    } finally {
      closeSync(filter);
      await quarters.leave(isEmpty);
    }
    return ending.kind === 'exited' ? { ...ending, left: quarters.left ?? [] } : ending;
  }

  #launch(filter: number, quarters: CommandQuarters): ProcessLaunch {
    const { job, toolchains } = this;
    const { start } = quarters;
    const { env, set } = splitEnvironment({ ...toolchains.environment, ...job.env, HOME: job.home });
    return {
      file: start.file,
      args: [...start.before, ...set, ...this.#command(quarters)],
      identity: start.identity,
      cwd: '/',
      env,
      descriptors: [filter, ...quarters.descriptors],
      gate: this.#gate(quarters),
      temporary: () => this.#inMemory(),
      processes: (child) => quarters.processes(child),
      isToBlame: (bytes) => quarters.isToBlame?.(bytes, job.limits.memoryBytes) ?? false,
      detached: false,
      kill: (child) => quarters.kill(child),
    };
  }

  #inMemory(): readonly string[] {
    if (this.#first === undefined) return [];
    const folders = this.job.tmp === undefined ? TEMPORARY_FOLDERS : SHARED_MEMORY;
    return folders.map((folder) => `/proc/${this.#first}/root${folder}`);
  }

  #command({ namespaces, used }: CommandQuarters): readonly string[] {
    const { program, limits, cwd, network, systemCalls } = this.job;
    const options = bubblewrapArguments({
      mounts: this.#plan.mounts,
      cwd,
      network,
      systemCalls,
      tmpBytes: temporaryBytes(this.job),
      system: this.host.system,
      namespaces,
    });
    const processes = limits.processes + OWN_PROCESSES;
    const script = limitsScript({ ...limits, processes }, this.host.shell, 'namespace');
    const isFirst = namespaces?.session === undefined;
    return [...options, ...gatedCommand(program, script, { used, isFirst })];
  }

  #gate(quarters: CommandQuarters): LaunchGate {
    return {
      admit: (child) => this.#admit(child, quarters),
      begin: (child, end) => this.#begin(child, quarters, end),
    };
  }

  async #admit(child: ChildProcess, quarters: CommandQuarters): Promise<string | undefined> {
    const pid = await quarters.first(child);
    if (pid === undefined) return 'Its first process has ended.';
    this.#first = pid;
    let why = await this.#differs(pid);
    // Names that are exchanged all the time are as planned again a moment later; all that counts is one such moment.
    for (let looks = 1; why !== undefined && looks < LOOKS && !hasEnded(pid); looks += 1) {
      await sleep(Math.random() * PAUSE_MS);
      const before = this.#nextView;
      const again = await this.#differs(pid);
      const isSettled = again === why && sameView(before, this.#nextView);
      why = again;
      if (isSettled && looks >= LOOKS_AT_LEAST) break;
    }
    return why;
  }

  async #differs(pid: number): Promise<string | undefined> {
    const wrong = this.#findWrongMount(pid);
    if (wrong !== undefined) return `${wrong} changed while the sandbox was being set up.`;
    const current = await this.job.currentView?.();
    if (current === undefined || (current.success && current.value === this.job.view)) return undefined;
    this.#nextView = current;
    return 'Files that the sandbox hides or protects changed while it was being set up.';
  }

  #findWrongMount(pid: number): string | undefined {
    try {
      return findWrongMount(pid, this.#plan.mounts, this.#plan.objects);
    } catch (error) {
      if (errnoOf(error) === 'EACCES' || errnoOf(error) === 'EPERM') throw new Error(CANNOT_LOOK);
      throw error;
    }
  }

  #begin(child: ChildProcess, quarters: CommandQuarters, end: (why: string) => void): () => void {
    const { nsenter, system } = this.host;
    quarters.makeAhead();
    const { setup, covers } = quarters;
    const pid = this.#first;
    this.onSetUp();
    const leave = this.host.neighbours.add(() => quarters.processes(child));
    const stopWatching = this.#watchDisk(child, quarters, end);
    const over = (): void => {
      leave();
      stopWatching();
    };
    if (pid === undefined || this.job.onLive === undefined) return over;
    const sandbox =
      setup !== undefined && nsenter !== undefined
        ? { pid, setup, nsenter, nothing: system.nothing }
        : undefined;
    const command = new SandboxedCommand(() => quarters.neighbours(child), sandbox, end, covers);
    const gone = this.job.onLive(command);
    return () => {
      over();
      command.over();
      gone();
    };
  }

  #watchDisk(child: ChildProcess, quarters: CommandQuarters, end: (why: string) => void): () => void {
    const { view, home, tmp, limits, session } = this.job;
    const { diskBytes } = limits;
    if (diskBytes === undefined) return () => undefined;
    const account = session === undefined ? undefined : this.host.sessions?.diskOf(session);
    const who = account === undefined ? 'It' : 'The commands of this session';
    const why = `${who} wrote more than ${mebibytes(diskBytes)} in /tmp, the home of commands and the workspace, the most that "limits.disk" allows. Remove what is not needed, or ask for a higher limit.`;
    const watch = {
      folders: [...view.write, home, ...(tmp === undefined ? [] : [tmp])],
      limitBytes: diskBytes,
      processes: () => quarters.processes(child),
      everyone: () => this.host.neighbours.all(),
      writers: this.host.writers,
      account: account ?? new DiskAccount(),
    };
    return watchDisk(watch, () => end(why));
  }
}

function sameView(
  one: Result<SandboxView, ToolError> | undefined,
  other: Result<SandboxView, ToolError> | undefined,
): boolean {
  return one?.success === true && other?.success === true ? one.value === other.value : one === other;
}

/** They live in memory, so that they may not hold more than it. */
function temporaryBytes({ limits }: SandboxJob): number {
  return Math.min(limits.tmpBytes, limits.memoryBytes);
}
