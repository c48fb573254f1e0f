import { inject, injectable } from 'inversify';
import type { CommandPlan } from '../../domain/command/command-plan.js';
import { normalisePath } from '../../domain/permission/path/normal-path.js';
import type { BackgroundRule } from '../../domain/permission/policy/background-rule.js';
import { Result } from '../../domain/result.js';
import { MAX_LINE } from '../../domain/text/short-lines.js';
import type { ToolError } from '../../domain/tool/tool-error.js';
import type { ToolContext } from '../call/tool-context.js';
import type { PreparedCommand } from '../ports/command/command-runner.js';
import type { CommandJob, OutputLine } from '../ports/command/command-sandbox.js';
import { type OutputSpool, OutputStore } from '../ports/command/output-store.js';
import { Timer } from '../ports/system/timer.js';
import { Workspace } from '../ports/system/workspace.js';
import type { BackgroundProcess } from './background/background-process.js';
import { BackgroundProcesses } from './background/background-processes.js';
import { newTracesOf } from './background/process-side-effects.js';
import { stillRunning } from './background/running-answer.js';
import { type CommandAnswer, commandAnswer, commandFailure } from './command-answer.js';
import { CommandConnections } from './command-connections.js';
import { answeredOutcome, tellOf } from './command-guard.js';
import { type AskedTime, DEFAULT_WAIT_S, type TimeLimit, timeLimit } from './command-limits.js';
import { leftBehindFailure } from './left-behind.js';
import { ProgressLines } from './progress-lines.js';
import { RunningCommands } from './running-commands.js';

const TOOL = 'execute_command';
/** How long a background command may take to start before its call returns anyway. */
const BEGIN_MS = 5_000;
/** Longer than a command takes to end once its time is over. */
const ENDING_MS = 10_000;

export type CommandContext = Pick<
  ToolContext,
  'grant' | 'signal' | 'progress' | 'log' | 'meta' | 'session' | 'correlationId' | 'asText'
>;

interface Asked extends AskedTime {
  readonly command: string;
  readonly save_output?: string;
}

export interface ReadyCommand {
  readonly plan: CommandPlan;
  readonly job: CommandJob;
  readonly prepared: PreparedCommand;
  /** If set, the command may outlive its result. */
  readonly background?: BackgroundRule;
}

/** Supervises a command until its result, and one that outlives it until its end. */
@injectable()
export class SuperviseCommand {
  constructor(
    @inject(OutputStore) private readonly outputs: OutputStore,
    @inject(BackgroundProcesses) private readonly processes: BackgroundProcesses,
    @inject(Workspace) private readonly workspace: Workspace,
    @inject(RunningCommands) private readonly running: RunningCommands,
    @inject(Timer) private readonly timer: Timer,
    @inject(CommandConnections) private readonly connections: CommandConnections,
  ) {}

  async supervise(
    asked: Asked,
    ready: ReadyCommand,
    context: CommandContext,
  ): Promise<Result<CommandAnswer, ToolError>> {
    const { background } = ready;
    if (background === undefined) return this.#run(asked, ready, context);
    if (asked.background === true) {
      const room = this.processes.check(context, background);
      if (!room.success) return room;
    }
    const process = this.processes.create(asked.command, context);
    const running = this.#run(asked, ready, context, process).then((outcome) => {
      process.finish(outcome);
      return outcome;
    });
    await this.#wait(asked, ready.job, process, context.signal);
    if (process.outcome !== undefined) {
      if (isLong(process)) this.processes.keepAnswered(process);
      return process.outcome;
    }
    const room = context.signal.aborted ? undefined : this.processes.check(context, background);
    if (room?.success === true) {
      this.processes.keep(process);
      return stillRunning(process, context.grant.obligations);
    }
    // The caller no longer wants it, or nothing may be kept.
    process.stop();
    const outcome = await running;
    return room === undefined || outcome.success ? outcome : room;
  }

  async #wait(
    asked: Asked,
    { limits: { timeoutMs } }: CommandJob,
    process: BackgroundProcess,
    signal: AbortSignal,
  ): Promise<void> {
    const isOver = (): boolean => process.outcome !== undefined;
    const askedMs = (asked.wait ?? DEFAULT_WAIT_S) * 1000;
    // A command whose time ends before its result is not left running in the background.
    const waitMs = timeoutMs <= askedMs ? timeoutMs + ENDING_MS : askedMs;
    if (asked.background === true) {
      await process.until(() => isOver() || process.hasBegun, BEGIN_MS, this.timer, signal);
      // Only if the caller asks for it: a failed start is reported immediately in any case.
      if (asked.wait !== undefined) await process.until(isOver, waitMs, this.timer, signal);
    } else await process.until(isOver, waitMs, this.timer, signal);
  }

  async #run(
    asked: Asked,
    { plan, job, prepared, background: rule }: ReadyCommand,
    context: CommandContext,
    process?: BackgroundProcess,
  ): Promise<Result<CommandAnswer, ToolError>> {
    const { obligations, policy } = context.grant;
    const { save_output: target, background, timeout } = asked;
    const opened = await this.#spool(target, job, context, process);
    if (!opened.success) return opened;
    const spool = opened.value;
    const lines =
      context.meta.progressToken === undefined ? undefined : new ProgressLines(context, this.timer);
    const isTyped = background === true && policy.allowsAnyProgram(TOOL);
    try {
      const whole = {
        ...job,
        joinStreams: context.asText === true,
        ...(obligations.network === 'hosts' && {
          network: this.connections.open(obligations.hosts ?? [], context),
        }),
        ...(lines && { onOutput: (line: OutputLine) => lines.take(line) }),
        ...(spool && { saveOutput: (chunk: Uint8Array) => spool.write(chunk) }),
        ...(process && attachedTo(process, isTyped)),
      };
      process?.watch(newTracesOf(prepared));
      const finished = await this.running.follow(
        (signal) => prepared.run(whole, signal),
        process?.signal ?? context.signal,
        context.session.id,
      );
      const { outcome, traces } = answeredOutcome(finished);
      tellOf(traces, context);
      if (!outcome.success) {
        const saved = process?.isStopped ? await keep(spool, target) : undefined;
        if (saved?.success && saved.value !== undefined) process?.saved(saved.value);
        const longest = timeLimit(obligations, asked, rule);
        const time = { chosenByCaller: job.limits.timeoutMs < longest.ms, ...loweredTime(timeout, longest) };
        return commandFailure(outcome.error, time, traces);
      }
      // With joined streams, git's messages are in standard output.
      const said = whole.joinStreams ? { ...outcome.value, stderr: outcome.value.stdout } : outcome.value;
      const left = leftBehindFailure(plan, said, traces);
      const saved = await keep(spool, target);
      if (left !== undefined) return commandFailure(left, {}, traces);
      const outputId = process !== undefined && isLong(process) ? process.facts.id : undefined;
      return saved.success ? commandAnswer(outcome.value, saved.value, obligations, traces, outputId) : saved;
    } finally {
      lines?.end();
      await spool?.discard();
    }
  }

  async #spool(
    target: string | undefined,
    { limits: { fileBytes: maxBytes } }: CommandJob,
    { grant: { view: paths, ownTmp }, signal }: Pick<ToolContext, 'grant' | 'signal'>,
    process: BackgroundProcess | undefined,
  ): Promise<Result<OutputSpool | undefined, ToolError>> {
    if (target === undefined) return Result.ok(undefined);
    const absolute = normalisePath(target, this.workspace.root);
    return this.outputs.open({
      target: ownTmp?.locate(absolute) ?? absolute,
      paths,
      maxBytes,
      // The output of a stopped process is kept as well.
      signal: process === undefined ? signal : new AbortController().signal,
    });
  }
}

/** Returns true if its output may be cut in a result; shorter output never is. */
function isLong({ output }: BackgroundProcess): boolean {
  return output.end > MAX_LINE;
}

/** What the caller asked for and the policy did not grant. */
function loweredTime(asked: number | undefined, longest: TimeLimit): { readonly loweredTo?: TimeLimit } {
  return asked !== undefined && asked * 1000 > longest.ms ? { loweredTo: longest } : {};
}

function attachedTo(
  process: BackgroundProcess,
  isTyped: boolean,
): Pick<CommandJob, 'onChunk' | 'onInput' | 'onBegin'> {
  return {
    onChunk: (chunk) => process.took(chunk),
    onBegin: () => process.began(),
    ...(isTyped && {
      onInput: (input) => {
        process.input = input;
      },
    }),
  };
}

async function keep(
  spool: OutputSpool | undefined,
  path: string | undefined,
): Promise<Result<{ readonly path: string; readonly bytes: number } | undefined, ToolError>> {
  if (spool === undefined || path === undefined) return Result.ok(undefined);
  const kept = await spool.keep();
  return kept.success ? Result.ok({ path, bytes: kept.value }) : kept;
}
