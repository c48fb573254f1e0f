import type { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import type { HostNetwork } from './host-network.js';

export type SandboxKind = 'bubblewrap' | 'seatbelt' | 'none';

export type SandboxStatus =
  | { readonly state: 'available'; readonly kind: SandboxKind; readonly description: string }
  | {
      readonly state: 'missing';
      readonly kind: SandboxKind;
      /** Why it is not available. */
      readonly reason: string;
      /** How a person can fix that. */
      readonly remedy: string;
    };

/** What runs. Every program is an absolute path; a script must have been rebuilt with quoted words. */
export type SandboxProgram =
  | { readonly kind: 'argv'; readonly file: string; readonly args: readonly string[] }
  | { readonly kind: 'script'; readonly shell: string; readonly text: string };

/**
 * What the command can see, as canonical absolute paths. System directories and toolchains are added
 * automatically.
 */
export interface SandboxView {
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Secret files, directories and sockets inside `read` or `write` to mask. */
  readonly hide: readonly string[];
  /** For some of `hide`, a placeholder that cannot be opened and looks unchanged to git. */
  readonly placeholders?: ReadonlyMap<string, string>;
  /** Paths inside `write` that stay read-only, such as .git/hooks. */
  readonly readOnlyInside: readonly string[];
  /** Paths inside `write` that do not exist and must not be created, if the sandbox can prevent that. */
  readonly couldAppear?: readonly string[];
  /** Directories of the server that are shown at other paths. */
  readonly binds?: readonly SandboxBind[];
  /** Views with the same number show, hide and protect the same. undefined if views are not numbered. */
  readonly version?: number;
  /**
   * Directories inside `write` that cannot be renamed or moved, because a rule about their content names the
   * path.
   */
  readonly pinned?: readonly string[];
}

/** Shows `source`, a canonical path that commands cannot choose, at `path`. */
export interface SandboxBind {
  readonly path: string;
  readonly source: string;
  /** It may be outside everything else that is shown; commands cannot write it. */
  readonly isReadOnly?: true;
}

export interface SandboxLimits {
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly memoryBytes: number;
  readonly processes: number;
  readonly openFiles: number;
  /** Of one process (default: unlimited). */
  readonly cpuSeconds?: number;
  readonly fileBytes: number;
  readonly tmpBytes: number;
  /** What a command may write in all directories together (default: unlimited). */
  readonly diskBytes?: number;
}

export interface OutputLine {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** Paths to mask in addition while a command runs. Canonical and absolute. */
export interface ViewChange {
  readonly hide: readonly string[];
  readonly readOnlyInside: readonly string[];
}

/** A running command, for code that monitors what it can see. */
export interface LiveCommand {
  /**
   * Stops its processes, masks these paths in its namespace, verifies, and continues it. Kills it if that
   * fails.
   */
  cover(change: ViewChange): Promise<void>;
  /** Kills it with everything it started; the result gives the reason. */
  end(why: string): void;
}

/** The standard input of a running command. */
export interface CommandInput {
  /** Returns false if it is closed, or too much input is waiting. */
  write(text: string): boolean;
  close(): void;
}

/** What to run, and its limits. */
export interface CommandJob {
  readonly program: SandboxProgram;
  /** Default: closed. */
  readonly stdin?: string;
  /** If set, the input stays open after `stdin` and is passed to this function. */
  readonly onInput?: (input: CommandInput) => void;
  /**
   * Commands of one session share their network and see each other's processes, but not each other's files.
   */
  readonly session?: string;
  /** Exactly the command's environment, apart from HOME. */
  readonly env: Readonly<Record<string, string>>;
  /** Files of programs that the command must not open: canonical absolute paths. */
  readonly without?: readonly string[];
  readonly network: 'none' | HostNetwork | 'host';
  /** What to add to the policy to give this command the network; for the hint if it needed it. */
  readonly networkAdvice?: string;
  /** `all`: the policy removes the system call filter. */
  readonly systemCalls: 'filtered' | 'all';
  /** True if commands without the host's network may open unix sockets. */
  readonly unixSockets?: boolean;
  readonly limits: SandboxLimits;
  /** Called when it starts in a sandbox. */
  readonly onBegin?: () => void;
  /**
   * Standard error goes to standard output, so that both keep their order; `stderr` of the outcome is empty.
   */
  readonly joinStreams?: boolean;
  /** Called for each piece of output, both streams in order of arrival. */
  readonly onChunk?: (chunk: Uint8Array) => void;
  /** Called for each line while the command runs. */
  readonly onOutput?: (line: OutputLine) => void;
  /** Receives the whole output in order of arrival; reading waits for it. */
  readonly saveOutput?: (chunk: Uint8Array) => Promise<void>;
}

/** A job with its view of the disk. */
export interface SandboxJob extends CommandJob {
  readonly cwd: string;
  /** A directory that becomes /tmp (default: an empty one that is removed with the command). */
  readonly tmp?: string;
  readonly view: SandboxView;
  /** A private, persistent directory that becomes HOME. */
  readonly home: string;
  /**
   * Called when the sandbox is ready and its command has not started: returns the current view. A sandbox
   * that shows something else is stopped and set up again with that view.
   */
  readonly currentView?: () => Promise<Result<SandboxView, ToolError>>;
  /** Called when the command starts; the returned function is called when nothing of it is left. */
  readonly onLive?: (command: LiveCommand) => () => void;
}

export interface CommandOutcome {
  /** 128 + n if signal n killed the command, as in a shell. */
  readonly exitCode: number;
  readonly signal?: string;
  readonly stdout: string;
  readonly stderr: string;
  /** True if the middle of the output was cut. */
  readonly truncated: boolean;
  readonly durationMs: number;
  /** As text: which sandbox, what it could write, whether it had a network. */
  readonly sandbox: string;
  /** Set if the sandbox probably caused the failure: what is allowed and which rule to ask for. */
  readonly hint?: string;
}

/** One way of running a job: a sandbox of the operating system, or none. */
export interface CommandSandbox {
  readonly kind: SandboxKind;
  /** Detects once and caches the result. */
  detect(): Promise<SandboxStatus>;
  /**
   * A command that ran is a success whatever its exit code. Failures: timeout, cancelled, limit-exceeded
   * (memory), unavailable (no sandbox), execution (it could not be started). When it settles, no process of
   * the command is left, as far as the adapter can guarantee it.
   */
  run(job: SandboxJob, signal: AbortSignal): Promise<Result<CommandOutcome, ToolError>>;
  /** Stops everything in a session. A later command with the same name starts a new one. */
  endSession?(session: string): Promise<void>;
  /** Releases what an idle session holds. Its next command starts it again; its disk use still counts. */
  releaseSession?(session: string): Promise<void>;
}
