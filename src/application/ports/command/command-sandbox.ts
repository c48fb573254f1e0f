import type { Result } from '../../../domain/result.js';
import type { ToolError } from '../../../domain/tool/tool-error.js';
import type { HostNetwork } from './host-network.js';

export type SandboxKind = 'bubblewrap' | 'seatbelt' | 'none';

export type SandboxStatus =
  | { readonly state: 'available'; readonly kind: SandboxKind; readonly description: string }
  | {
      readonly state: 'missing';
      readonly kind: SandboxKind;
      /** What stands in the way. */
      readonly reason: string;
      /** What a person does about it. */
      readonly remedy: string;
    };

/** What runs. Every program is an absolute path; a script must have been re-emitted with quoted words. */
export type SandboxProgram =
  | { readonly kind: 'argv'; readonly file: string; readonly args: readonly string[] }
  | { readonly kind: 'script'; readonly shell: string; readonly text: string };

/** What the command can see, as canonical absolute paths. The system and the toolchains come by themselves. */
export interface SandboxView {
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Secret files, folders and sockets that lie inside `read` or `write` and are masked. */
  readonly hide: readonly string[];
  /** For some of `hide`, a file that cannot be opened and is shown instead: it looks unchanged to git. */
  readonly placeholders?: ReadonlyMap<string, string>;
  /** Paths inside `write` that stay read-only, such as .git/hooks. */
  readonly readOnlyInside: readonly string[];
  /** Paths inside `write` that do not exist, and must not be made where the sandbox can keep a name from being made. */
  readonly couldAppear?: readonly string[];
  /** Folders of the server's own that are shown in other places. */
  readonly binds?: readonly SandboxBind[];
  /** The same number: nothing else is shown, hidden or protected. Absent where nobody counts. */
  readonly version?: number;
  /** Folders inside `write` that keep their names and places, because a rule about what they hold names the place. */
  readonly pinned?: readonly string[];
}

/** `source`, canonical and not for commands to choose, shown at `path`. */
export interface SandboxBind {
  readonly path: string;
  readonly source: string;
  /** It may lie outside of everything else that is shown; commands cannot write it. */
  readonly isReadOnly?: true;
}

export interface SandboxLimits {
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly memoryBytes: number;
  readonly processes: number;
  readonly openFiles: number;
  /** Of one process; absent: as much as it takes. */
  readonly cpuSeconds?: number;
  readonly fileBytes: number;
  readonly tmpBytes: number;
  /** What a command may write in all folders together; absent: as much as the disk holds. */
  readonly diskBytes?: number;
}

export interface OutputLine {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** What must additionally be covered while a command runs. Canonical absolute paths. */
export interface ViewChange {
  readonly hide: readonly string[];
  readonly readOnlyInside: readonly string[];
}

/** A command that is running, for whoever watches what it can see. */
export interface LiveCommand {
  /** Stops its processes, covers these paths in its namespace, verifies, lets it go on. Ends it where that fails. */
  cover(change: ViewChange): Promise<void>;
  /** Ends it with everything it started; the answer gives the reason. */
  end(why: string): void;
}

/** The standard input of a command that reads while it runs. */
export interface CommandInput {
  /** false: it is closed, or too much waits there already. */
  write(text: string): boolean;
  close(): void;
}

/** What is to run, and within which bounds. */
export interface CommandJob {
  readonly program: SandboxProgram;
  /** Absent: closed. */
  readonly stdin?: string;
  /** Present: after `stdin` the input stays open, for whoever is told of it. */
  readonly onInput?: (input: CommandInput) => void;
  /** Commands of one session share their network and see each other's processes, but not each other's files. */
  readonly session?: string;
  /** Exactly what the command sees, apart from HOME. */
  readonly env: Readonly<Record<string, string>>;
  /** Files of programs that do not exist for the command: canonical absolute paths. */
  readonly without?: readonly string[];
  readonly network: 'none' | HostNetwork | 'host';
  /** What a person adds to the policy to give this command the network; for the hint of one that missed it. */
  readonly networkAdvice?: string;
  /** `all`: the policy takes the system call filter away. */
  readonly systemCalls: 'filtered' | 'all';
  /** The filter lets commands without the host's network open unix sockets. */
  readonly unixSockets?: boolean;
  readonly limits: SandboxLimits;
  /** Called when it begins, in a sandbox. */
  readonly onBegin?: () => void;
  /** Standard error goes where standard output goes, so that both keep their order; `stderr` of the outcome is empty. */
  readonly joinStreams?: boolean;
  /** Called for each piece of output as it comes, both streams in order of arrival. */
  readonly onChunk?: (chunk: Uint8Array) => void;
  /** Called for each line while the command runs. */
  readonly onOutput?: (line: OutputLine) => void;
  /** Receives the whole output in order of arrival; reading waits for it. */
  readonly saveOutput?: (chunk: Uint8Array) => Promise<void>;
}

/** A job with what it sees of the disk. */
export interface SandboxJob extends CommandJob {
  readonly cwd: string;
  /** A folder that becomes /tmp. Absent: an empty one that goes with the command. */
  readonly tmp?: string;
  readonly view: SandboxView;
  /** A private folder that lasts; it becomes HOME. */
  readonly home: string;
  /**
   * Asked while the sandbox stands and its command has not begun: the view as it is by then. A sandbox that shows
   * something else is ended and started again with that view.
   */
  readonly currentView?: () => Promise<Result<SandboxView, ToolError>>;
  /** Told when the command begins; the function returned is called when nothing of it is left. */
  readonly onLive?: (command: LiveCommand) => () => void;
}

export interface CommandOutcome {
  /** 128 + n where signal n ended the command, as in a shell. */
  readonly exitCode: number;
  readonly signal?: string;
  readonly stdout: string;
  readonly stderr: string;
  /** The middle of the output was cut. */
  readonly truncated: boolean;
  readonly durationMs: number;
  /** In words: which sandbox, what it could write, whether it had a network. */
  readonly sandbox: string;
  /** Present when the sandbox probably caused the failure: what is allowed and which rule to ask for. */
  readonly hint?: string;
}

/** One way of running a job: what the operating system offers to contain it, or nothing. */
export interface CommandSandbox {
  readonly kind: SandboxKind;
  /** Looks once and remembers. */
  detect(): Promise<SandboxStatus>;
  /**
   * A command that ran is a success whatever its exit code. Failures: timeout, cancelled, limit-exceeded
   * (memory), unavailable (no sandbox), execution (it could not be started). When this settles no process
   * of the command is left, as far as the adapter can promise it.
   */
  run(job: SandboxJob, signal: AbortSignal): Promise<Result<CommandOutcome, ToolError>>;
  /** Ends whatever still runs in a session. A later command of the same name begins a new one. */
  endSession?(session: string): Promise<void>;
  /** Gives back what a session holds in which nothing runs. Its next command begins it anew; what it wrote still counts. */
  releaseSession?(session: string): Promise<void>;
}
