import type { ChildProcess } from 'node:child_process';
import { chownSync, closeSync, mkdirSync, statSync } from 'node:fs';
import { injectable } from 'inversify';
import type {
  CommandOutcome,
  CommandSandbox,
  SandboxJob,
  SandboxStatus,
} from '../../application/ports/command-sandbox.js';
import { Result } from '../../domain/result.js';
import {
  executionFailed,
  type ToolError,
  toolFailure,
  toolUnavailable,
} from '../../domain/tool/tool-error.js';
import { bubblewrapArguments, USED_DESCRIPTORS } from './bubblewrap-arguments.js';
import { diagnose, readHostFacts } from './bubblewrap-diagnosis.js';
import { type BubblewrapHost, prepareHost } from './bubblewrap-host.js';
import { checkProbe, probeJob } from './bubblewrap-probe.js';
import { commandEnding } from './command-ending.js';
import { CommandProcess, type ProcessEnding } from './command-process.js';
import { gatedCommand, limitsScript } from './limits-script.js';
import { descendantsOf } from './memory-watchdog.js';
import { type Mount, planMounts } from './mount-plan.js';
import { explainFailure } from './sandbox-hint.js';
import { findToolchains, type Toolchains } from './toolchains.js';
import { type Identity, NOBODY } from './user-namespace-pool.js';

export interface BubblewrapOptions {
  /** The server's PATH: where bwrap is looked for. */
  readonly searchPath: string;
  /** The server's real home folder: where toolchains are looked for. */
  readonly realHome: string;
  /** A folder that no command can ever see. */
  readonly stateFolder: string;
}

type Readiness =
  | { readonly host: BubblewrapHost; readonly status: Extract<SandboxStatus, { state: 'available' }> }
  | { readonly host: undefined; readonly status: Extract<SandboxStatus, { state: 'missing' }> };

/** bwrap and the shell at the gate count as well. */
const OWN_PROCESSES = 2;

@injectable()
export class BubblewrapSandbox implements CommandSandbox {
  readonly kind = 'bubblewrap';
  readonly #toolchains = new Map<string, Promise<Toolchains>>();
  #readiness: Promise<Readiness> | undefined;

  constructor(private readonly options: BubblewrapOptions) {}

  async detect(): Promise<SandboxStatus> {
    return (await this.#ready()).status;
  }

  async run(job: SandboxJob, signal: AbortSignal): Promise<Result<CommandOutcome, ToolError>> {
    const { host, status } = await this.#ready();
    if (host === undefined) {
      const message = `Commands are not run without a sandbox here. ${status.reason} ${status.remedy}`;
      return toolFailure(toolUnavailable('SANDBOX_UNAVAILABLE', message));
    }
    return this.#runOn(host, job, signal);
  }

  /** Removes what was prepared. */
  async close(): Promise<void> {
    const readiness = await this.#readiness;
    this.#readiness = undefined;
    readiness?.host?.close();
  }

  #ready(): Promise<Readiness> {
    this.#readiness ??= this.#prepare();
    return this.#readiness;
  }

  async #prepare(): Promise<Readiness> {
    const { searchPath, stateFolder } = this.options;
    const host = prepareHost(searchPath, stateFolder);
    if ('reason' in host) return { host: undefined, status: { state: 'missing', kind: this.kind, ...host } };
    const probe = await this.#runOn(host, probeJob(stateFolder), AbortSignal.timeout(10_000));
    const complaint = probe.success ? checkProbe(probe.value) : probe.error.message;
    if (complaint !== undefined) {
      host.close();
      const diagnosis = diagnose(complaint, readHostFacts());
      return { host: undefined, status: { state: 'missing', kind: this.kind, ...diagnosis } };
    }
    const description = `bubblewrap with a system call filter${host.namespaces ? ', as an unprivileged user' : ''}`;
    return { host, status: { state: 'available', kind: this.kind, description } };
  }

  async #runOn(
    host: BubblewrapHost,
    job: SandboxJob,
    signal: AbortSignal,
  ): Promise<Result<CommandOutcome, ToolError>> {
    const toolchains = await this.#toolchainsOn(job.env.PATH ?? '');
    const identity = host.namespaces && ownerOf(job.view.write[0]);
    prepareHome(job.home, identity);
    const mounts = planMounts({ ...job, system: host.system, toolchains, tmpBytes: job.limits.tmpBytes });
    const lease = identity && (await host.namespaces?.take(identity));
    let isEmpty = false;
    const filter = host.openFilter();
    try {
      const launch = {
        file: host.bwrap,
        args: bubblewrapCommand(host, job, mounts, identity),
        identity,
        cwd: '/',
        env: { ...toolchains.environment, ...job.env, HOME: job.home },
        descriptors: lease === undefined ? [filter] : [filter, lease.descriptor],
        gated: true,
        detached: false,
        kill: killSandbox,
      };
      const ending = await new CommandProcess(launch, job).run(signal);
      isEmpty = ending.kind === 'exited' && ending.begun && ending.signal === undefined;
      return this.#describe(ending, job);
    } finally {
      closeSync(filter);
      if (lease !== undefined) host.namespaces?.giveBack(lease, isEmpty);
    }
  }

  #describe(ending: ProcessEnding, job: SandboxJob): Result<CommandOutcome, ToolError> {
    if (ending.kind === 'exited' && !ending.begun) {
      const said = ending.output.stderr.trim();
      return toolFailure(executionFailed(`The sandbox could not be set up for this command: ${said}`));
    }
    return commandEnding(ending, job, {
      sandbox: `bubblewrap, network ${job.network === 'none' ? 'off' : 'on'}${job.systemCalls === 'all' ? ', system calls not filtered' : ''}`,
      explain: (outcome) => explainFailure(outcome, job),
    });
  }

  #toolchainsOn(path: string): Promise<Toolchains> {
    const known = this.#toolchains.get(path) ?? findToolchains(path, this.options.realHome);
    this.#toolchains.set(path, known);
    return known;
  }
}

function bubblewrapCommand(
  host: BubblewrapHost,
  job: SandboxJob,
  mounts: readonly Mount[],
  identity: Identity | undefined,
): readonly string[] {
  const { program, limits, cwd, network, systemCalls } = job;
  const options = bubblewrapArguments({
    mounts,
    cwd,
    network,
    systemCalls,
    tmpBytes: limits.tmpBytes,
    identity,
  });
  const processes = limits.processes + OWN_PROCESSES;
  const script = limitsScript({ ...limits, processes }, host.shell, 'namespace');
  return [...options, ...gatedCommand(program, script, USED_DESCRIPTORS)];
}

/** Files that a command makes should belong to whom the workspace belongs; root itself is never taken. */
function ownerOf(folder: string | undefined): Identity {
  const found = folder === undefined ? undefined : statSync(folder, { throwIfNoEntry: false });
  const isOrdinary = (id: number | undefined): id is number => id !== undefined && id > 0 && id < NOBODY.uid;
  return {
    uid: isOrdinary(found?.uid) ? found.uid : NOBODY.uid,
    gid: isOrdinary(found?.gid) ? found.gid : NOBODY.gid,
  };
}

// access() ignores capabilities for everybody but uid 0, so the home must really belong to the command.
function prepareHome(home: string, identity: Identity | undefined): void {
  const found = statSync(home, { throwIfNoEntry: false });
  if (found === undefined) mkdirSync(home, { recursive: true, mode: 0o700 });
  if (identity !== undefined && found?.uid !== identity.uid) chownSync(home, identity.uid, identity.gid);
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
