/**
 * A word of a command with its quotes removed. A glob keeps its pattern; we expand it, never a shell. In a
 * pattern `*`, `?` and `[…]` are special, and a backslash marks the next character as literal because it was
 * quoted.
 */
export type CommandWord =
  | { readonly kind: 'literal'; readonly text: string }
  | {
      readonly kind: 'glob';
      readonly pattern: string;
      /** Not a file name pattern: the shell computes the text when it runs, and `*` stands for the result. */
      readonly unseen?: true;
    };

/** The script passed to a wrapped shell (`timeout 9 sh -c SCRIPT`): it is rebuilt from its tree as well. */
export interface ScriptWord {
  readonly kind: 'script';
  readonly text: string;
  readonly tree: CommandNode;
}

export type Redirect =
  | {
      readonly kind: 'file';
      readonly fd: number;
      readonly mode: 'read' | 'write' | 'append';
      readonly target: string;
    }
  | { readonly kind: 'duplicate'; readonly fd: number; readonly from: number }
  /** Input contained in the command itself; empty, or complete lines. */
  | { readonly kind: 'text'; readonly fd: number; readonly text: string };

/** A program that a wrapper starts (`timeout 9 make`): we look it up as well, not the wrapper. */
export interface ProgramWord {
  readonly kind: 'program';
  readonly text: string;
}

export type TreeWord = CommandWord | ProgramWord | ScriptWord;

/** A variable that a command line sets for its programs. */
export interface AssignedVariable {
  readonly name: string;
  readonly value: string;
}

/** One program with its arguments and redirections, as written. The first word is the program. */
export interface SimpleCommand {
  readonly kind: 'command';
  readonly words: readonly TreeWord[];
  readonly redirects: readonly Redirect[];
  /** Set for this program only. */
  readonly variables?: readonly AssignedVariable[];
}

/** The accepted tree: everything a shell needs to be given, and nothing else. */
export type CommandNode =
  | SimpleCommand
  | { readonly kind: 'cd'; readonly directory: string }
  /** A builtin that runs no program: `command -v NAME`, `set -e`, `export NAME=value`. */
  | {
      readonly kind: 'builtin';
      readonly name: 'command' | 'set' | 'export';
      readonly words: readonly string[];
      readonly redirects: readonly Redirect[];
      readonly variables?: readonly AssignedVariable[];
    }
  /** Runs beside the following commands, and is stopped at the end of the command line at the latest. */
  | { readonly kind: 'background'; readonly body: CommandNode }
  | {
      readonly kind: 'pipeline';
      readonly negated: boolean;
      /** Preceded by the shell's own `time`. */
      readonly timed?: true;
      readonly parts: readonly CommandNode[];
    }
  | {
      readonly kind: 'list';
      readonly first: CommandNode;
      readonly rest: readonly { readonly operator: '&&' | '||' | ';'; readonly node: CommandNode }[];
    }
  | {
      readonly kind: 'group';
      readonly subshell: boolean;
      readonly body: CommandNode;
      readonly redirects: readonly Redirect[];
    };

/** A program the command would start, directly or through a wrapper such as env or xargs. */
export interface ProgramCall {
  /** As written: `ls`, `/bin/rm`, `./tool`. */
  readonly program: string;
  readonly args: readonly CommandWord[];
  /** The wrapper that would start it, if it is not the command itself. */
  readonly via?: string;
  /** True if the wrapper adds arguments that are not known in advance (xargs reads them). */
  readonly unseenArguments?: true;
  /** Texts in the words that the wrapper replaces with its input (`xargs -I`). */
  readonly placeholders?: readonly string[];
  /** True if a wrapper removes variables, or may, so that those we set do not reach the program. */
  readonly bareEnvironment?: true;
  /** Not certain to be started: words that a program may run. Only denies and consents consider it. */
  readonly possible?: true;
  /**
   * The directory it would run in, relative to the call's own, after every `cd` before it; `.` is the same.
   */
  readonly directory: string;
}

/** A file that a redirection would read or change. */
export interface RedirectedFile {
  readonly mode: 'read' | 'write' | 'append';
  readonly path: string;
  readonly directory: string;
}

export interface CommandPlan {
  readonly tree: CommandNode;
  readonly programs: readonly ProgramCall[];
  readonly files: readonly RedirectedFile[];
  /**
   * A shell reads this script unchanged, and `tree` is the call of that shell. The programs and files are
   * those that the script shows: what may run, not what will.
   */
  readonly text?: string;
  /** Variables that the command line itself sets for its programs. */
  readonly variables?: readonly AssignedVariable[];
  /** True if a part of it runs beside the others. */
  readonly background?: true;
  /** Programs that cannot be known before the script runs, as written: `$TOOL`, `eval "$LINE"`. */
  readonly unseen?: readonly string[];
  /** True if a part of the script was not understood, so that programs may be missing above. */
  readonly unread?: true;
}

/** Why a command line is not accepted: the code, the position, and what to write instead. */
export interface CommandRefusal {
  readonly reason: 'SHELL_SYNTAX' | 'UNPARSEABLE' | 'HAZARDOUS_ARGUMENT';
  readonly message: string;
  readonly hint: string;
  /** 1-based column in the given text, if one position is to blame. */
  readonly column?: number;
}

/** The text of a word without expansion: a shell passes on a pattern that matches nothing. */
export function wordText(word: TreeWord): string {
  return word.kind === 'glob' ? word.pattern.replace(/\\(.)/gsu, '$1') : word.text;
}
