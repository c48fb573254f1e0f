import type { ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { SandboxJob, SandboxView } from '../../../application/ports/command/command-sandbox.js';
import type { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import { errnoOf } from '../../file/file-fault.js';
import { commandIdentity, prepareHome } from '../process/command-identity.js';
import { CommandProcess } from '../process/command-process.js';
import { gatedCommand, limitsScript } from '../process/limits-script.js';
import { childrenOf, descendantsOf } from '../process/memory-watchdog.js';
import type { ProcessEnding } from '../process/process-ending.js';
import type { LaunchGate, ProcessLaunch } from '../process/process-launch.js';
import type { Identity, NamespaceLease } from '../process/user-namespace-pool.js';
import type { Toolchains } from '../program/toolchains.js';
import { findWrongMount, type PlannedObjects, rememberObjects } from '../view/mount/mount-check.js';
import { SandboxedCommand } from '../view/mount/sandboxed-command.js';
import { type Mount, planMounts } from '../view/mount-plan.js';
import { bubblewrapArguments, USED_DESCRIPTORS } from './bubblewrap-arguments.js';
import { CANNOT_LOOK } from './bubblewrap-diagnosis.js';
import type { BubblewrapHost } from './bubblewrap-host.js';

/** bwrap and the shell at the gate count as well. */
const OWN_PROCESSES = 2;
/** Live in memory. */
const TEMPORARY_FOLDERS = ['/tmp', '/dev/shm'];

/** One sandbox for one command: planned, set up, held against the plan, and only then let go. */
export class BubblewrapAttempt {
  /** What was asked for just before the command would have begun, where it differs from what was planned with. */
  nextView: Result<SandboxView, ToolError> | undefined;
  readonly #identity: Identity;
  readonly #mounts: readonly Mount[];
  readonly #planned: PlannedObjects;

  constructor(
    private readonly host: BubblewrapHost,
    private readonly toolchains: Toolchains,
    private readonly job: SandboxJob,
  ) {
    this.#identity = commandIdentity(job.view.write[0]);
    // Before the plan, which leaves out what is not there.
    prepareHome(job.home, this.#identity);
    const tmpBytes = temporaryBytes(job);
    this.#mounts = planMounts({ ...job, system: host.system, toolchains, tmpBytes });
    this.#planned = rememberObjects(this.#mounts);
  }

  async run(signal: AbortSignal): Promise<ProcessEnding> {
    const { namespaces, openFilter } = this.host;
    let lease: NamespaceLease | undefined;
    try {
      lease = await namespaces?.take(this.#identity);
    } catch (error) {
      return { kind: 'not-started', error: error instanceof Error ? error : new Error(String(error)) };
    }
    const filter = openFilter();
    let isEmpty = false;
    try {
      const ending = await new CommandProcess(this.#launch(filter, lease), this.job).run(signal);
      isEmpty = ending.kind === 'exited' && ending.begun && ending.signal === undefined;
      return ending;
    } finally {
      closeSync(filter);
      if (lease !== undefined) namespaces?.giveBack(lease, isEmpty);
    }
  }

  #launch(filter: number, lease: NamespaceLease | undefined): ProcessLaunch {
    const { job, host, toolchains } = this;
    return {
      file: host.bwrap,
      args: this.#command(lease),
      identity: host.isRoot ? lease?.identity : undefined,
      cwd: '/',
      env: { ...toolchains.environment, ...job.env, HOME: job.home },
      descriptors: [filter, lease?.setup, lease?.command].filter((descriptor) => descriptor !== undefined),
      gate: this.#gate(lease),
      temporary: TEMPORARY_FOLDERS,
      detached: false,
      kill: killSandbox,
    };
  }

  #command(lease: NamespaceLease | undefined): readonly string[] {
    const { program, limits, cwd, network, systemCalls } = this.job;
    const options = bubblewrapArguments({
      mounts: this.#mounts,
      cwd,
      network,
      systemCalls,
      tmpBytes: temporaryBytes(this.job),
      system: this.host.system,
      namespaces: lease && { nested: lease.command !== undefined },
    });
    const processes = limits.processes + OWN_PROCESSES;
    const script = limitsScript({ ...limits, processes }, this.host.shell, 'namespace');
    return [...options, ...gatedCommand(program, script, USED_DESCRIPTORS)];
  }

  #gate(lease: NamespaceLease | undefined): LaunchGate {
    return {
      admit: (child) => this.#admit(child),
      begin: (child, end) => this.#begin(child, lease, end),
    };
  }

  async #admit(child: ChildProcess): Promise<string | undefined> {
    const pid = firstProcess(child);
    if (pid === undefined) return 'Its first process has ended.';
    const wrong = this.#findWrongMount(pid);
    if (wrong !== undefined) return `${wrong} changed while the sandbox was being set up.`;
    const current = await this.job.currentView?.();
    if (current === undefined || (current.success && current.value === this.job.view)) return undefined;
    this.nextView = current;
    return 'Files that the sandbox hides or protects changed while it was being set up.';
  }

  #findWrongMount(pid: number): string | undefined {
    try {
      return findWrongMount(pid, this.#mounts, this.#planned);
    } catch (error) {
      if (errnoOf(error) === 'EACCES' || errnoOf(error) === 'EPERM') throw new Error(CANNOT_LOOK);
      throw error;
    }
  }

  #begin(child: ChildProcess, lease: NamespaceLease | undefined, end: (why: string) => void): () => void {
    const { namespaces, nsenter } = this.host;
    if (lease !== undefined) namespaces?.makeAhead(lease.identity);
    const pid = firstProcess(child);
    if (child.pid === undefined || pid === undefined || this.job.onLive === undefined) return () => undefined;
    const sandbox =
      lease && nsenter !== undefined
        ? { pid, setup: lease.setup, nsenter, nothing: this.host.system.nothing }
        : undefined;
    const command = new SandboxedCommand(child.pid, sandbox, end);
    const gone = this.job.onLive(command);
    return () => {
      command.over();
      gone();
    };
  }
}

/** They live in memory, so that they may not hold more than it. */
function temporaryBytes({ limits }: SandboxJob): number {
  return Math.min(limits.tmpBytes, limits.memoryBytes);
}

/** bwrap has one child, and keeps its number from being used again until it ends itself. */
function firstProcess(child: ChildProcess): number | undefined {
  return child.pid === undefined ? undefined : childrenOf(child.pid)[0];
}

// The first process of a PID namespace takes all the others with it. bwrap's own death would end it too, a
// moment later; ending it first leaves no such moment.
function killSandbox(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  for (const pid of descendantsOf(child.pid)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Gone already.
    }
  }
  child.kill('SIGKILL');
}
