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
  /** What the tool itself may access: names what a built-in deny would hide. */
  readonly paths: PathView;
  /** undefined: the command runs without a sandbox. */
  readonly profile: SandboxProfile | undefined;
  /** The session whose /tmp it uses. */
  readonly session?: string;
  /** Only git runs, to remove or move worktrees. */
  readonly tidiesWorktrees?: boolean;
  /** Only git runs, and the policy lets it restore protected files to what earlier commits contain. */
  readonly gitMayRestore?: boolean;
  /** What the line would bring files to, where it tells. */
  readonly gitMove?: GitMove | undefined;
  /** True if all its programs are known, and none writes a file. */
  readonly onlyReads?: boolean;
  /** What the programs of the command line remove or replace, relative to `cwd`. */
  readonly changes?: readonly FolderChange[];
  /** Absolute; undefined is the workspace, or the private home if commands do not see the workspace. */
  readonly cwd: string | undefined;
}

/** The target to which one git moves files. */
export interface GitMove {
  /** Relative to `cwd`. */
  readonly folder: string;
  /** `reset` discards changes; `paths` are restored alone, from the index if there is no target. */
  readonly kind: 'switch' | 'reset' | 'merge' | 'pick' | 'revert' | 'rebase' | 'unstash' | 'paths';
  /** As passed to git: a branch, a commit, `stash@{0}`. */
  readonly target: string | undefined;
  readonly paths?: readonly string[];
}

/** Something that a command put where it would have taken effect, and its name in the server's quarantine. */
export interface QuarantinedFile {
  readonly path: string;
  readonly moved: string;
}

/** Files a command created that other programs, or the server, would act on. */
export interface CommandSideEffects {
  /** Protected files that were created or replaced. */
  readonly appeared: readonly string[];
  /** Files removed because they would have become the server's policy, settings or flags. */
  readonly quarantined: readonly QuarantinedFile[];
  /** Messages about files that your git would have followed, and what happened to them. */
  readonly findings: readonly string[];
  /** Protected files that git brought to another content, and that are as they were again. */
  readonly putBack?: readonly string[];
  readonly leftBehind?: readonly FileLeftBehind[];
  /** Where HEAD moved, if a file could not be updated. */
  readonly movedHead?: MovedHead;
}

/** A file that commands cannot write and whose content differs from git's index. */
export interface FileLeftBehind {
  /** Relative to the workspace. */
  readonly path: string;
  /** True if git moved to another version of it while the command ran. */
  readonly moved: boolean;
}

export interface MovedHead {
  /** The commits of HEAD before and after. */
  readonly before: string;
  readonly after: string;
  /** The branch that was left; undefined if it is the same branch, or there was none. */
  readonly branch: string | undefined;
}

/** A command that ran, and its side effects. */
export interface FinishedCommand {
  readonly outcome: Result<CommandOutcome, ToolError>;
  readonly sideEffects: CommandSideEffects;
  /** True if it was killed because it created something that your git would follow. */
  readonly wasEnded: boolean;
}

/** A command whose view of the disk is known. */
export interface PreparedCommand {
  /** Canonical. */
  readonly cwd: string;
  /** The path of a shell, for command lines that need one; undefined if there is none. */
  readonly shell: string | undefined;
  /** Settings to pass to every git of the command. */
  readonly gitSettings?: readonly (readonly [string, string])[];
  /**
   * The names that a pattern matches, in the pattern's own form, sorted; only what the command will see.
   * undefined if there are more than a command line can hold, or only a shell understands the pattern.
   */
  expand(pattern: string, directory: string): readonly string[] | undefined;
  /** Runs something that changes nothing, in the same view, before the command itself. */
  ask(question: CommandJob, signal: AbortSignal): Promise<Result<CommandOutcome, ToolError>>;
  /**
   * Call it once. Waits while another command changes git's settings, and kills the command if it creates
   * something that would run or redirect a program outside the sandbox. When it settles, no process of the
   * command is left, as far as the adapter can guarantee it.
   */
  run(job: CommandJob, signal: AbortSignal): Promise<FinishedCommand>;
  /** Side effects so far, while the command is running. */
  soFar(): Promise<CommandSideEffects>;
}

/** Runs commands in the sandbox that this machine has. */
export interface CommandRunner {
  /** Variables of the server, some of which the policy passes on. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Which sandbox this machine has. Detected once. */
  status(): Promise<SandboxStatus>;
  /**
   * Examines the disk before a command runs: what its sandbox shows and hides, and where it starts. Failures:
   * a cwd that does not exist (execution) or that commands may not see (permission-denied), a directory to be
   * removed or replaced with files that commands cannot remove (permission-denied), a tree in which not every
   * secret can be found (limit-exceeded, execution).
   */
  prepare(request: CommandRequest): Promise<Result<PreparedCommand, ToolError>>;
  /**
   * The directory of the host that contained commands of this session have as /tmp, canonical; created if missing.
   * undefined: the sandbox here has none.
   */
  tmpOf(session: string): Promise<string | undefined>;
  /**
   * Stops everything in a session and removes what its commands left in /tmp. A later command starts it
   * again.
   */
  endSession(session: string): Promise<void>;
  /** Releases what an idle session holds. Its next command starts it again; its disk use still counts. */
  releaseSession(session: string): Promise<void>;
  close(): Promise<void>;
}

export const CommandRunner: ServiceIdentifier<CommandRunner> = Symbol.for('castellan.CommandRunner');
