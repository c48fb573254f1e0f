import { inject, injectable } from 'inversify';
import type { CommandPlan } from '../../domain/command/command-plan.js';
import { normalisePath } from '../../domain/permission/path/normal-path.js';
import { commandEnvironment } from '../../domain/permission/policy/command-environment.js';
import { Result } from '../../domain/result.js';
import { permissionDenied, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import { type CommandGround, CommandGrounds } from '../ports/command/command-ground.js';
import { CommandParser } from '../ports/command/command-parser.js';
import type { OutputLine, SandboxJob } from '../ports/command/command-sandbox.js';
import { type OutputSpool, OutputStore } from '../ports/command/output-store.js';
import { ProgramLocator } from '../ports/command/program-locator.js';
import { Alarm } from '../ports/system/alarm.js';
import { Workspace } from '../ports/system/workspace.js';
import type { ToolContext } from '../tool/tool-context.js';
import { ChooseSandbox, type ChosenSandbox } from './choose-sandbox.js';
import { type CommandAnswer, commandAnswer, commandFailure } from './command-answer.js';
import { guarded, tellOf } from './command-guard.js';
import { commandLimits, longestTimeMs } from './command-limits.js';
import { commandProgram, missingProgram, type ProgramSource } from './command-program.js';
import { gitListingJob, gitOverrides, gitUnaskable } from './git-guard.js';
import { bringsFiles, gitEnvironment, runsGit, tidiesWorktrees, withPlainDrawing } from './git-overrides.js';
import { leftBehindFailure } from './left-behind.js';
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
    context: Pick<ToolContext, 'grant' | 'signal' | 'progress' | 'log' | 'meta' | 'session'>,
  ): Promise<Result<CommandAnswer, ToolError>> {
    const { obligations, policy, view } = context.grant;
    const plan = this.#plan(command, context);
    if (!plan.success) return plan;
    const chosen = await this.sandboxes.choose(obligations, context.session.id);
    if (!chosen.success) return chosen;
    const ground = await this.grounds.prepare({
      tool: TOOL,
      policy,
      paths: view,
      profile: chosen.value.profile,
      tidiesWorktrees: tidiesWorktrees(plan.value),
      gitMayRestore: policy.gitMayRestore(TOOL) && bringsFiles(plan.value),
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
    const job = this.#job(command, plan.value, source, context);
    if (!job.success) return job;
    const guarded = await this.#guardGit(plan.value, job.value, source, chosen.value, context);
    if (!guarded.success) return guarded;
    const run = { plan: plan.value, job: guarded.value, ground: ground.value };
    return this.#run(command, run, chosen.value, context);
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

  #job(
    command: RunCommandCommand,
    plan: CommandPlan,
    source: ProgramSource,
    { grant: { obligations } }: Pick<ToolContext, 'grant'>,
  ): Result<SandboxJob, ToolError> {
    const { ground } = source;
    const program = commandProgram(plan, source);
    if (!program.success) return program;
    return Result.ok({
      program: program.value,
      cwd: ground.cwd,
      ...(command.stdin !== undefined && { stdin: command.stdin }),
      env: commandEnvironment(obligations.env, this.grounds.environment, command.env ?? {}),
      view: ground.view,
      home: ground.home,
      network: obligations.network === 'full' ? 'host' : 'none',
      systemCalls: obligations.sandbox?.seccomp === 'none' ? 'all' : 'filtered',
      limits: commandLimits(obligations, command.timeout),
      ...(ground.currentView && { currentView: ground.currentView }),
      ...(ground.onLive && { onLive: ground.onLive }),
    });
  }

  /** Where git is allowed by name, what the repository's settings name is switched off, and git itself lists them. */
  async #guardGit(
    plan: CommandPlan,
    job: SandboxJob,
    { ground, locate }: ProgramSource,
    { sandbox }: ChosenSandbox,
    { grant: { policy }, signal }: Pick<ToolContext, 'grant' | 'signal'>,
  ): Promise<Result<SandboxJob, ToolError>> {
    if (!runsGit(plan)) return Result.ok(job);
    const withGit = (own: Parameters<typeof gitEnvironment>[0]): Result<SandboxJob, ToolError> =>
      Result.ok({ ...job, env: { ...job.env, ...gitEnvironment(own) } });
    if (policy.allowsAnyProgram(TOOL)) return withGit(undefined);
    const [git, grep] = ['git', 'grep'].map((name) => locate(name, ground.cwd));
    const question = gitListingJob(plan, job, {
      ...(ground.shell !== undefined && { shell: ground.shell }),
      ...(git !== undefined && { git }),
      ...(grep !== undefined && { grep }),
    });
    if (question === undefined) return gitUnaskable();
    const overrides = gitOverrides(plan, await sandbox.run(question, signal), this.workspace.root);
    return overrides.success ? withGit(overrides.value) : overrides;
  }

  async #run(
    { save_output: target }: RunCommandCommand,
    {
      plan,
      job,
      ground,
    }: { readonly plan: CommandPlan; readonly job: SandboxJob; readonly ground: CommandGround },
    { sandbox }: ChosenSandbox,
    context: Pick<ToolContext, 'grant' | 'signal' | 'progress' | 'log' | 'meta' | 'session'>,
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
      if (!outcome.success) {
        const chosenByCaller = job.limits.timeoutMs < longestTimeMs(obligations);
        return commandFailure(outcome.error, chosenByCaller, traces);
      }
      const left = leftBehindFailure(plan, outcome.value, traces);
      const saved = await keep(spool, target);
      if (left !== undefined) return commandFailure(left, false, traces);
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
