import { inject, injectable } from 'inversify';
import type { CommandPlan } from '../../domain/command/command-plan.js';
import { mayChangeFiles } from '../../domain/command/may-change-files.js';
import { folderChanges } from '../../domain/permission/path/folder-changes.js';
import { normalisePath } from '../../domain/permission/path/normal-path.js';
import type { BackgroundRule } from '../../domain/permission/policy/background-rule.js';
import { commandEnvironment } from '../../domain/permission/policy/command-environment.js';
import type { SandboxProfile } from '../../domain/permission/policy/obligations.js';
import { Result } from '../../domain/result.js';
import { permissionDenied, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import type { ToolContext } from '../call/tool-context.js';
import { CommandRunner, type PreparedCommand } from '../ports/command/command-runner.js';
import type { CommandJob } from '../ports/command/command-sandbox.js';
import { ProgramLocator } from '../ports/command/program-locator.js';
import { Workspace } from '../ports/system/workspace.js';
import { ChooseSandbox } from './choose-sandbox.js';
import { type CommandAnswer, commandAnswer } from './command-answer.js';
import { commandLimits } from './command-limits.js';
import { commandProgram, missingProgram, type ProgramSource } from './command-program.js';
import { gitListingJob, gitOverrides, gitUnaskable } from './git-guard.js';
import { settingsChange } from './git-intents.js';
import { gitMove } from './git-move.js';
import {
  bringsFiles,
  gitEnvironment,
  namesGit,
  runsGit,
  tidiesWorktrees,
  withGitSettings,
  withPlainDrawing,
} from './git-overrides.js';
import { RunningCommands } from './running-commands.js';
import { SessionCommands } from './session-commands.js';
import { type CommandContext, SuperviseCommand } from './supervise-command.js';

const TOOL = 'execute_command';

/** Makes package managers fail immediately without network, instead of retrying for minutes. */
const OFFLINE: Readonly<Record<string, string>> = {
  PIP_RETRIES: '0',
  PIP_DEFAULT_TIMEOUT: '5',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  npm_config_fetch_retries: '0',
};

export interface ExecuteCommandLineCommand {
  readonly command: string;
  /** If set, `command` is one program and these are its exact arguments. */
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly stdin?: string;
  /** Seconds. */
  readonly timeout?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly save_output?: string;
  /** Seconds until the result; a command that is still running then keeps running. */
  readonly wait?: number;
  /** Return immediately. */
  readonly background?: boolean;
}

/** Runs what the policy allowed, in the required sandbox and within its limits. */
@injectable()
export class ExecuteCommandLineHandler {
  constructor(
    @inject(ProgramLocator) private readonly programs: ProgramLocator,
    @inject(CommandRunner) private readonly runner: CommandRunner,
    @inject(ChooseSandbox) private readonly sandboxes: ChooseSandbox,
    @inject(SessionCommands) private readonly sessions: SessionCommands,
    @inject(SuperviseCommand) private readonly supervision: SuperviseCommand,
    @inject(RunningCommands) private readonly running: RunningCommands,
    @inject(Workspace) private readonly workspace: Workspace,
  ) {}

  async handle(
    command: ExecuteCommandLineCommand,
    context: CommandContext,
  ): Promise<Result<CommandAnswer, ToolError>> {
    const { obligations, policy } = context.grant;
    const plan = grantedPlan(context);
    const chosen = await this.sandboxes.choose(obligations);
    if (!chosen.success) return chosen;
    const isContained = chosen.value !== undefined;
    const gitSettings = namesGit(plan) ? settingsChange(plan) : undefined;
    // A command line that changes git's settings runs alone; in the background others would wait for it.
    const background = isContained && gitSettings === undefined ? policy.backgroundOf(TOOL) : undefined;
    if (command.background === true && background === undefined) return noBackground();
    const entered = this.sessions.enter(context.session);
    if (!entered.success) return entered;
    try {
      return await this.#run(command, context, { plan, profile: chosen.value, gitSettings, background });
    } finally {
      entered.value();
    }
  }

  async #run(
    command: ExecuteCommandLineCommand,
    context: CommandContext,
    { plan, profile, gitSettings, background }: DecidedRun,
  ): Promise<Result<CommandAnswer, ToolError>> {
    const { policy, view } = context.grant;
    const prepared = await this.runner.prepare({
      tool: TOOL,
      policy,
      paths: view,
      profile,
      session: context.session.id,
      changes: folderChanges(plan.programs),
      onlyReads: plan.text === undefined && !mayChangeFiles(plan.tree),
      ...(namesGit(plan) && {
        tidiesWorktrees: tidiesWorktrees(plan),
        gitMayRestore: policy.gitMayRestore(TOOL) && bringsFiles(plan),
        gitSettings,
        gitMove: gitMove(plan),
      }),
      cwd: command.cwd === undefined ? undefined : normalisePath(command.cwd, this.workspace.root),
    });
    if (!prepared.success) return prepared;
    const source: ProgramSource = {
      prepared: prepared.value,
      contained: profile !== undefined,
      locate: once((program, directory) => this.programs.locate(program, directory, TOOL, policy)?.path),
    };
    const absent = missingProgram(plan, source);
    if (absent !== undefined) return notFound(absent, context);
    const job = this.#job(command, plan, source, context, background);
    if (!job.success) return job;
    const guarded = await this.#guardGit(plan, job.value, source.locate, prepared.value, context);
    if (!guarded.success) return guarded;
    const env = withGitSettings(guarded.value.env, prepared.value.gitSettings);
    const sandboxed = { ...guarded.value, env };
    const run = { plan, job: sandboxed, prepared: prepared.value, ...(background && { background }) };
    return this.supervision.supervise(command, run, context);
  }

  #job(
    command: ExecuteCommandLineCommand,
    plan: CommandPlan,
    source: ProgramSource,
    { grant: { obligations, policy }, session }: Pick<ToolContext, 'grant' | 'session'>,
    background: BackgroundRule | undefined,
  ): Result<CommandJob, ToolError> {
    const program = commandProgram(plan, source);
    if (!program.success) return program;
    const denied = policy.deniedPrograms(TOOL);
    const without = denied.length === 0 ? [] : this.programs.filesOf(denied, TOOL, policy);
    return Result.ok({
      program: program.value,
      ...(command.stdin !== undefined && { stdin: command.stdin }),
      env: {
        ...(obligations.network === 'full' ? {} : OFFLINE),
        ...commandEnvironment(
          obligations.env,
          this.runner.environment,
          command.env ?? {},
          policy.allowsAnyProgram(TOOL),
        ),
      },
      ...(without.length > 0 && { without }),
      // A command that ends with its call shares nothing with later ones.
      ...(background && { session: session.id }),
      ...(obligations.network === 'full'
        ? { network: 'host' as const }
        : { network: 'none' as const, networkAdvice: policy.networkAdvice(TOOL, plan) }),
      systemCalls: obligations.sandbox?.seccomp === 'none' ? 'all' : 'filtered',
      unixSockets: obligations.sandbox?.seccomp === 'unix_sockets',
      limits: commandLimits(obligations, command, background),
    });
  }

  /**
   * If git is allowed by name, everything that the repository's settings name is disabled; git itself lists
   * them.
   */
  async #guardGit(
    plan: CommandPlan,
    job: CommandJob,
    locate: ProgramSource['locate'],
    prepared: PreparedCommand,
    { grant: { policy }, signal, session }: Pick<ToolContext, 'grant' | 'signal' | 'session'>,
  ): Promise<Result<CommandJob, ToolError>> {
    if (!runsGit(plan)) return Result.ok(job);
    const withGit = (own: Parameters<typeof gitEnvironment>[0]): Result<CommandJob, ToolError> =>
      Result.ok({ ...job, env: { ...job.env, ...gitEnvironment(own) } });
    if (policy.allowsAnyProgram(TOOL)) return withGit(undefined);
    const [git, grep] = ['git', 'grep'].map((name) => locate(name, prepared.cwd));
    const question = gitListingJob(plan, job, {
      ...(prepared.shell !== undefined && { shell: prepared.shell }),
      ...(git !== undefined && { git }),
      ...(grep !== undefined && { grep }),
    });
    if (question === undefined) return gitUnaskable();
    const ask = (until: AbortSignal): ReturnType<PreparedCommand['ask']> => prepared.ask(question, until);
    const outcome = await this.running.follow(ask, signal, session.id);
    const overrides = gitOverrides(plan, outcome, this.workspace.root);
    return overrides.success ? withGit(overrides.value) : overrides;
  }
}

/** What is known about a command before the disk is examined. */
interface DecidedRun {
  readonly plan: CommandPlan;
  /** undefined: nothing contains the command. */
  readonly profile: SandboxProfile | undefined;
  readonly gitSettings: ReturnType<typeof settingsChange>;
  readonly background: BackgroundRule | undefined;
}

/** Looks each program up only once. */
function once(locate: ProgramSource['locate']): ProgramSource['locate'] {
  const known = new Map<string, string | undefined>();
  return (program, directory) => {
    const key = `${directory}\0${program}`;
    if (!known.has(key)) known.set(key, locate(program, directory));
    return known.get(key);
  };
}

function noBackground(): Result<never, ToolError> {
  const message =
    'The policy does not allow commands to outlive their call. Omit "background": the result comes when the command has ended. If you need it, ask the user for execute_command.background in the policy.';
  return toolFailure(permissionDenied('NO_ALLOW', message));
}

/**
 * The command as the policy decided on it. If git is allowed by name, a repository must not add programs of
 * its own.
 */
function grantedPlan({ grant: { policy, plans } }: Pick<ToolContext, 'grant'>): CommandPlan {
  const plan = plans?.[0];
  if (plan === undefined) throw new Error('A command runs only under a grant that holds its plan.');
  const guarded = runsGit(plan) && !policy.allowsAnyProgram(TOOL);
  return guarded ? { ...plan, tree: withPlainDrawing(plan.tree) } : plan;
}

/** The message a shell would print; nothing had to be started to know. */
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
    hint: 'No program of that name is on the PATH of commands.',
  };
  return commandAnswer(outcome, undefined, obligations);
}
