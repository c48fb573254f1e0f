import { injectable } from 'inversify';
import type {
  CommandOutcome,
  CommandSandbox,
  SandboxJob,
  SandboxStatus,
} from '../../../application/ports/command/command-sandbox.js';
import { Result } from '../../../domain/result.js';
import { type ToolError, toolFailure, toolUnavailable } from '../../../domain/tool/tool-error.js';
import { commandEnding, sandboxNotSetUp } from '../feedback/command-ending.js';
import { explainFailure } from '../feedback/sandbox-hint.js';
import { checkProbe, diagnose, probeJob, readHostFacts } from '../launch/bubblewrap-diagnosis.js';
import type { ProcessEnding } from '../process/process-ending.js';
import { findToolchains, type Toolchains } from '../program/toolchains.js';
import { BubblewrapAttempt } from './bubblewrap-attempt.js';
import { type BubblewrapHost, type HostOptions, prepareHost } from './bubblewrap-host.js';

export interface BubblewrapOptions extends HostOptions {
  /** The server's real home folder: where toolchains are looked for. */
  readonly realHome: string;
}

type Readiness =
  | { readonly host: BubblewrapHost; readonly status: Extract<SandboxStatus, { state: 'available' }> }
  | { readonly host: undefined; readonly status: Extract<SandboxStatus, { state: 'missing' }> };

/** How often a command is set up whose files change meanwhile: a few times in any case, more if it is soon done. */
const ATTEMPTS = 5;
const MOST_ATTEMPTS = 40;
const PATIENCE_MS = 2_000;
/** A sandbox that could not be made may be possible later: bubblewrap is installed, or the machine was very busy. */
const LOOK_AGAIN_MS = 5_000;

const NETWORK_WORDS = { none: 'off', hosts: 'to listed hosts', host: 'on' } as const;

function reachOf({ network }: SandboxJob): keyof typeof NETWORK_WORDS {
  return typeof network === 'object' ? 'hosts' : network;
}

@injectable()
export class BubblewrapSandbox implements CommandSandbox {
  readonly kind = 'bubblewrap';
  readonly #toolchains = new Map<string, Promise<Toolchains>>();
  #readiness: Promise<Readiness> | undefined;
  #lookAgainAt = Number.POSITIVE_INFINITY;

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
    try {
      return await this.#runOn(host, job, signal);
    } catch (error) {
      return sandboxNotSetUp(error);
    }
  }

  async endSession(session: string): Promise<void> {
    // Where nothing was ever run, nothing is prepared for it.
    const readiness = await this.#readiness;
    await readiness?.host?.sessions?.end(session);
  }

  async releaseSession(session: string): Promise<void> {
    const readiness = await this.#readiness;
    await readiness?.host?.sessions?.release(session);
  }

  /** Removes what was prepared. */
  async close(): Promise<void> {
    const readiness = await this.#readiness;
    this.#readiness = undefined;
    await readiness?.host?.close();
  }

  #ready(): Promise<Readiness> {
    if (performance.now() >= this.#lookAgainAt) this.#readiness = undefined;
    this.#readiness ??= this.#look();
    return this.#readiness;
  }

  async #look(): Promise<Readiness> {
    this.#lookAgainAt = Number.POSITIVE_INFINITY;
    const readiness = await this.#prepare();
    if (readiness.host === undefined) this.#lookAgainAt = performance.now() + LOOK_AGAIN_MS;
    return readiness;
  }

  async #prepare(): Promise<Readiness> {
    const { stateFolder } = this.options;
    const host = await prepareHost(this.options);
    if ('reason' in host) return { host: undefined, status: { state: 'missing', kind: this.kind, ...host } };
    const probe = await this.#runOn(host, probeJob(stateFolder), AbortSignal.timeout(10_000));
    const complaint = probe.success ? checkProbe(probe.value) : probe.error.message;
    if (complaint !== undefined) {
      await host.close();
      const diagnosis = diagnose(complaint, readHostFacts());
      return { host: undefined, status: { state: 'missing', kind: this.kind, ...diagnosis } };
    }
    const description = `bubblewrap with a system call filter${host.isRoot ? ', as an unprivileged user' : ''}`;
    return { host, status: { state: 'available', kind: this.kind, description } };
  }

  async #runOn(
    host: BubblewrapHost,
    job: SandboxJob,
    signal: AbortSignal,
  ): Promise<Result<CommandOutcome, ToolError>> {
    const toolchains = await this.#toolchainsOn(job.env.PATH ?? '');
    let { view } = job;
    let resume: (() => void) | undefined;
    const started = performance.now();
    for (let tries = 1; ; tries += 1) {
      const current = { ...job, view };
      const ending = await new BubblewrapAttempt(host, toolchains, current, resume).run(signal);
      resume?.();
      const hasBegun = ending.kind !== 'not-admitted' && !(ending.kind === 'exited' && !ending.begun);
      const isPatient = tries < MOST_ATTEMPTS && performance.now() - started < PATIENCE_MS;
      if (hasBegun || signal.aborted || (tries >= ATTEMPTS && !isPatient))
        return this.#describe(ending, current, tries);
      resume = await host.commands.pause();
      const next = await job.currentView?.();
      if (next?.success === false) {
        resume();
        return next;
      }
      view = next?.value ?? view;
    }
  }

  #describe(ending: ProcessEnding, job: SandboxJob, tries: number): Result<CommandOutcome, ToolError> {
    if (ending.kind === 'exited' && !ending.begun) return sandboxNotSetUp(ending.output.stderr.trim());
    if (ending.kind === 'not-started') return sandboxNotSetUp(ending.error);
    if (ending.kind === 'not-admitted') {
      const message = `The command was not run: ${ending.why} This happened ${tries} times in a row. Something in the workspace is being replaced or moved again and again: wait until it has ended, or end it, and try once more.`;
      return toolFailure(toolUnavailable('SANDBOX_UNAVAILABLE', message));
    }
    return commandEnding(ending, job, {
      sandbox: `bubblewrap, network ${NETWORK_WORDS[reachOf(job)]}${job.systemCalls === 'all' ? ', system calls not filtered' : ''}`,
      explain: (outcome) => {
        if (ending.kind !== 'exited') return explainFailure(outcome, job, undefined);
        const hint = explainFailure(outcome, job, ending.left);
        return [...(ending.lost ?? []), ...(hint === undefined ? [] : [hint])].join(' ') || undefined;
      },
    });
  }

  #toolchainsOn(path: string): Promise<Toolchains> {
    const known = this.#toolchains.get(path) ?? findToolchains(path, this.options.realHome);
    this.#toolchains.set(path, known);
    return known;
  }
}
