import { inject, injectable } from 'inversify';
import { commandEnvironment } from '../../domain/permission/command-environment.js';
import type { CommandPlan } from '../../domain/permission/command-plan.js';
import { normalisePath } from '../../domain/permission/normal-path.js';
import { Result } from '../../domain/result.js';
import { permissionDenied, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import { Alarm } from '../ports/alarm.js';
import { type CommandGround, CommandGrounds, type CommandTraces } from '../ports/command-ground.js';
import { CommandParser } from '../ports/command-parser.js';
import type { CommandOutcome, CommandSandbox, OutputLine, SandboxJob } from '../ports/command-sandbox.js';
import { type OutputSpool, OutputStore } from '../ports/output-store.js';
import { ProgramLocator } from '../ports/program-locator.js';
import { Workspace } from '../ports/workspace.js';
import type { ToolContext } from '../tool/tool-context.js';
import { ChooseSandbox, type ChosenSandbox } from './choose-sandbox.js';
import { type CommandAnswer, commandAnswer, commandFailure } from './command-answer.js';
import { commandLimits } from './command-limits.js';
import { commandProgram, missingProgram, type ProgramSource } from './command-program.js';
import { gitEnvironment, runsGit, tidiesWorktrees, withPlainDrawing } from './git-overrides.js';
import { ProgressLines } from './progress-lines.js';

const TOOL = 'execute_command';

export interface RunCommandCommand {
  readonly command: string;
  /** Present: `command` is one program and these are its arguments, exactly. */
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly stdin?: string;
  /** Seconds. */
  readonly timeout?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly save_output?: string;
}

/** Runs what the policy has allowed, in the sandbox it asks for and within its limits. */
@injectable()
export class RunCommandHandler {
  constructor(
    @inject(CommandParser) private readonly parser: CommandParser,
    @inject(ProgramLocator) private readonly programs: ProgramLocator,
    @inject(CommandGrounds) private readonly grounds: CommandGrounds,
    @inject(ChooseSandbox) private readonly sandboxes: ChooseSandbox,
    @inject(OutputStore) private readonly outputs: OutputStore,
    @inject(Workspace) private readonly workspace: Workspace,
    @inject(Alarm) private readonly alarm: Alarm,
  ) {}

  async handle(
    command: RunCommandCommand,
    context: Pick<ToolContext, 'grant' | 'signal' | 'progress' | 'log' | 'meta'>,
  ): Promise<Result<CommandAnswer, ToolError>> {
    const { obligations, policy, view } = context.grant;
    const plan = this.#plan(command, context);
    if (!plan.success) return plan;
    const chosen = await this.sandboxes.choose(obligations);
    if (!chosen.success) return chosen;
    const ground = await this.grounds.prepare({
      tool: TOOL,
      policy,
      paths: view,
      profile: chosen.value.profile,
      tidiesWorktrees: tidiesWorktrees(plan.value),
      cwd: command.cwd === undefined ? undefined : normalisePath(command.cwd, this.workspace.root),
    });
    if (!ground.success) return ground;
    const source: ProgramSource = {
      ground: ground.value,
      contained: chosen.value.profile !== undefined,
      locate: (program, directory) => this.programs.locate(program, directory, TOOL, policy)?.path,
    };
    const absent = missingProgram(plan.value, source);
    if (absent !== undefined) return notFound(absent, context);
    const job = await this.#job(command, plan.value, source, context);
    return job.success ? this.#run(command, job.value, chosen.value, ground.value, context) : job;
  }

  #plan(
    { command, args }: RunCommandCommand,
    { grant: { policy } }: Pick<ToolContext, 'grant'>,
  ): Result<CommandPlan, ToolError> {
    const plan =
      args === undefined
        ? this.parser.parse(command, policy.shellModeOf(TOOL))
        : this.parser.fromArgv(command, args);
    if (!plan.success) {
      return toolFailure(permissionDenied(plan.error.reason, `${plan.error.message}. ${plan.error.hint}.`));
    }
    // Where git is allowed by name, a repository must not bring programs of its own.
    const guarded = runsGit(plan.value) && !policy.allowsAnyProgram(TOOL);
    return Result.ok(guarded ? { ...plan.value, tree: withPlainDrawing(plan.value.tree) } : plan.value);
  }

  async #job(
    command: RunCommandCommand,
    plan: CommandPlan,
    source: ProgramSource,
    { grant: { obligations, policy } }: Pick<ToolContext, 'grant'>,
  ): Promise<Result<SandboxJob, ToolError>> {
    const { ground } = source;
    const program = commandProgram(plan, source);
    if (!program.success) return program;
    const git = runsGit(plan) ? await this.#git(ground, policy.allowsAnyProgram(TOOL)) : {};
    return Result.ok({
      program: program.value,
      cwd: ground.cwd,
      ...(command.stdin !== undefined && { stdin: command.stdin }),
      env: { ...commandEnvironment(obligations.env, this.grounds.environment, command.env ?? {}), ...git },
      view: ground.view,
      home: ground.home,
      network: obligations.network === 'full' ? 'host' : 'none',
      systemCalls: obligations.sandbox?.seccomp === 'none' ? 'all' : 'filtered',
      limits: commandLimits(obligations, command.timeout),
      ...(ground.currentView && { currentView: ground.currentView }),
      ...(ground.onLive && { onLive: ground.onLive }),
    });
  }

  async #git(ground: CommandGround, anyProgram: boolean): Promise<Readonly<Record<string, string>>> {
    return gitEnvironment(anyProgram ? undefined : await ground.gitOverrides());
  }

  async #run(
    { save_output: target }: RunCommandCommand,
    job: SandboxJob,
    { sandbox }: ChosenSandbox,
    ground: CommandGround,
    context: Pick<ToolContext, 'grant' | 'signal' | 'progress' | 'log' | 'meta'>,
  ): Promise<Result<CommandAnswer, ToolError>> {
    const { obligations } = context.grant;
    const opened = await this.#spool(target, job, context);
    if (!opened.success) return opened;
    const spool = opened.value;
    const lines =
      context.meta.progressToken === undefined ? undefined : new ProgressLines(context, this.alarm);
    try {
      const whole = {
        ...job,
        ...(lines && { onOutput: (line: OutputLine) => lines.take(line) }),
        ...(spool && { saveOutput: (chunk: Uint8Array) => spool.write(chunk) }),
      };
      const { outcome, traces } = await guarded(sandbox, whole, ground, context.signal);
      tellOf(traces, context);
      if (!outcome.success) return commandFailure(outcome.error, traces);
      const saved = await keep(spool, target);
      return saved.success ? commandAnswer(outcome.value, saved.value, obligations, traces) : saved;
    } finally {
      lines?.end();
      await spool?.discard();
    }
  }

  async #spool(
    target: string | undefined,
    { limits: { fileBytes: maxBytes } }: SandboxJob,
    { grant: { view: paths }, signal }: Pick<ToolContext, 'grant' | 'signal'>,
  ): Promise<Result<OutputSpool | undefined, ToolError>> {
    if (target === undefined) return Result.ok(undefined);
    return this.outputs.open({
      target: normalisePath(target, this.workspace.root),
      paths,
      maxBytes,
      signal,
    });
  }
}

function tellOf({ appeared, quarantined, findings }: CommandTraces, context: Pick<ToolContext, 'log'>): void {
  if (appeared.length + quarantined.length > 0)
    context.log('warning', { message: 'A command made protected files.', appeared, quarantined });
  if (findings.length > 0)
    context.log('warning', { message: 'A command made files that git would obey.', findings });
}

/** Runs it under watch; one that made something that git obeys outside is ended. */
async function guarded(
  sandbox: Pick<CommandSandbox, 'run'>,
  job: SandboxJob,
  ground: CommandGround,
  signal: AbortSignal,
): Promise<{ readonly outcome: Result<CommandOutcome, ToolError>; readonly traces: CommandTraces }> {
  const ending = new AbortController();
  const guard = ground.guard((why) => ending.abort(why));
  let traces: CommandTraces = { appeared: [], quarantined: [], findings: [] };
  let outcome: Result<CommandOutcome, ToolError>;
  try {
    outcome = await sandbox.run(job, AbortSignal.any([signal, ending.signal]));
  } finally {
    traces = await guard.close();
  }
  // A caller's own cancel is answered as such.
  const isEnded = ending.signal.aborted && !signal.aborted;
  return isEnded
    ? { outcome: endedByGuard(traces), traces: { ...traces, findings: [] } }
    : { outcome, traces };
}

function endedByGuard({ findings }: CommandTraces): Result<never, ToolError> {
  const what = `The command was ended because of what it made: ${findings.join(' ')}`;
  const next = 'Tell the user. Leave what git obeys outside the sandbox to the user.';
  return toolFailure(permissionDenied('PROTECTED', `${what} ${next}`));
}

async function keep(
  spool: OutputSpool | undefined,
  path: string | undefined,
): Promise<Result<{ readonly path: string; readonly bytes: number } | undefined, ToolError>> {
  if (spool === undefined || path === undefined) return Result.ok(undefined);
  const kept = await spool.keep();
  return kept.success ? Result.ok({ path, bytes: kept.value }) : kept;
}

/** As a shell would put it; nothing had to be started to know. */
function notFound(
  program: string,
  { grant: { obligations } }: Pick<ToolContext, 'grant'>,
): Result<CommandAnswer, ToolError> {
  const outcome = {
    exitCode: 127,
    stdout: '',
    stderr: `${program}: command not found\n`,
    truncated: false,
    durationMs: 0,
    sandbox: 'not needed: nothing was started',
    hint: 'There is no program of that name on the PATH that the policy gives to commands.',
  };
  return commandAnswer(outcome, undefined, obligations);
}
