import type { ServiceIdentifier } from 'inversify';
import type { FolderChange } from '../../../domain/permission/path/folder-changes.js';
import type { SandboxProfile } from '../../../domain/permission/policy/obligations.js';
import type { PathView } from '../../../domain/permission/policy/path-view.js';
import type { PermissionPolicy } from '../../../domain/permission/policy/permission-policy.js';
import type { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import type { CommandJob, CommandOutcome, SandboxStatus } from './command-sandbox.js';

export interface CommandRequest {
  readonly tool: string;
  readonly policy: PermissionPolicy;
  /** What the tool itself may touch: names what a built-in refusal would hide. */
  readonly paths: PathView;
  /** undefined: the command runs without a sandbox. */
  readonly profile: SandboxProfile | undefined;
  /** Whose /tmp it is. */
  readonly session?: string;
  /** git alone will run, to remove or move worktrees. */
  readonly tidiesWorktrees?: boolean;
  /** git alone will run, and the policy lets it bring protected files to what commits of before the session have. */
  readonly gitMayRestore?: boolean;
  /** What the line would bring files to, where it tells. */
  readonly gitMove?: GitMove | undefined;
  /** All its programs are known, and none of them writes a file. */
  readonly onlyReads?: boolean;
  /** What the programs of the line remove or replace, told from `cwd`. */
  readonly changes?: readonly FolderChange[];
  /** Absolute; undefined is the workspace, or the private home where commands do not see the workspace. */
  readonly cwd: string | undefined;
}

/** What one git brings files to. */
export interface GitMove {
  /** Told from `cwd`. */
  readonly folder: string;
  /** `reset` does not mind what was changed; `paths` are brought alone, from the index where there is no target. */
  readonly kind: 'switch' | 'reset' | 'merge' | 'pick' | 'revert' | 'rebase' | 'unstash' | 'paths';
  /** As git is given it: a branch, a commit, `stash@{0}`. */
  readonly target: string | undefined;
  readonly paths?: readonly string[];
}

/** Something that a command put where it would have taken effect, and its name in the server's quarantine. */
export interface QuarantinedFile {
  readonly path: string;
  readonly moved: string;
}

/** What a command left behind that other programs, or the server, would act on. */
export interface CommandSideEffects {
  /** Protected files that have come into being, or were exchanged. */
  readonly appeared: readonly string[];
  /** What was taken away because it would have become the server's policy, settings or flags. */
  readonly quarantined: readonly QuarantinedFile[];
  /** Sentences about files that git would have obeyed, and what became of them. */
  readonly findings: readonly string[];
  /** Protected files that git brought to another content, and that are as they were again. */
  readonly putBack?: readonly string[];
  readonly leftBehind?: readonly FileLeftBehind[];
  /** Where HEAD moved and a file was left behind. */
  readonly movedHead?: MovedHead;
}

/** A file that commands cannot write, and of which git's index says something else than what lies there. */
export interface FileLeftBehind {
  /** Told from the workspace. */
  readonly path: string;
  /** git took another version of it while the command ran. */
  readonly moved: boolean;
}

export interface MovedHead {
  /** The commits that HEAD stood for. */
  readonly before: string;
  readonly after: string;
  /** The branch that was left; undefined: it is the same branch, or there was none. */
  readonly branch: string | undefined;
}

/** A command that ran, and what it left. */
export interface FinishedCommand {
  readonly outcome: Result<CommandOutcome, ToolError>;
  readonly sideEffects: CommandSideEffects;
  /** It was ended because it made something that git would obey outside the sandbox. */
  readonly wasEnded: boolean;
}

/** A command whose view of the disk is known. */
export interface PreparedCommand {
  /** Canonical. */
  readonly cwd: string;
  /** Where a shell is, for lines that need one; undefined: there is none here. */
  readonly shell: string | undefined;
  /** Settings that every git of the command is to be given. */
  readonly gitSettings?: readonly (readonly [string, string])[];
  /**
   * The names a pattern matches, told as the pattern tells them, sorted; only what the command will see.
   * undefined: more than a command line can hold, or a pattern that only a shell understands.
   */
  expand(pattern: string, directory: string): readonly string[] | undefined;
  /** Runs something that changes nothing, in the same view, before the command itself. */
  ask(question: CommandJob, signal: AbortSignal): Promise<Result<CommandOutcome, ToolError>>;
  /**
   * To be called once. Waits while another command changes what git obeys, and ends the command when it makes something
   * that would run or redirect anything outside the sandbox. When this settles no process of it is left, as far as the
   * adapter can promise it.
   */
  run(job: CommandJob, signal: AbortSignal): Promise<FinishedCommand>;
  /** What has come into being until now, while the command runs on. */
  soFar(): Promise<CommandSideEffects>;
}

/** Runs commands in what this machine has to contain them. */
export interface CommandRunner {
  /** Variables of the server, from which the policy passes some on. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What contains commands here. Looks once and remembers. */
  status(): Promise<SandboxStatus>;
  /**
   * Looks at the disk before a command runs: what its sandbox shows, what it hides, where it starts. Failures: a cwd that
   * is not there (execution) or that commands may not see (permission-denied), a folder to be removed or replaced that
   * holds what commands cannot remove (permission-denied), a tree in which not every secret can be found
   * (limit-exceeded, execution).
   */
  prepare(request: CommandRequest): Promise<Result<PreparedCommand, ToolError>>;
  /** Ends whatever still runs in a session, and removes what its commands left in /tmp. A later command begins it anew. */
  endSession(session: string): Promise<void>;
  /** Gives back what a session holds in which nothing runs. Its next command begins it anew; what it wrote still counts. */
  releaseSession(session: string): Promise<void>;
  close(): Promise<void>;
}

export const CommandRunner: ServiceIdentifier<CommandRunner> = Symbol.for('castellan.CommandRunner');
