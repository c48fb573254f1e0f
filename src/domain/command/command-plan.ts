/**
 * A word of a command after quotes are gone. A glob keeps its pattern; it is expanded by us, never by a
 * shell. In a pattern `*`, `?` and `[…]` are special, and a backslash takes the meaning from what follows it:
 * the characters that were quoted.
 */
export type CommandWord =
  | { readonly kind: 'literal'; readonly text: string }
  | {
      readonly kind: 'glob';
      readonly pattern: string;
      /** Not a pattern of names: a shell works the text out when it runs, and `*` stands for what it finds. */
      readonly unseen?: true;
    };

/** The text a wrapped shell is given (`timeout 9 sh -c TEXT`): what runs is re-emitted from its tree as well. */
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
  /** Input given in the command itself; empty, or whole lines. */
  | { readonly kind: 'text'; readonly fd: number; readonly text: string };

/** A program that a wrapper starts (`timeout 9 make`): it too is looked up by us and not by the wrapper. */
export interface ProgramWord {
  readonly kind: 'program';
  readonly text: string;
}

export type TreeWord = CommandWord | ProgramWord | ScriptWord;

/** A variable that a line gives to programs. */
export interface AssignedVariable {
  readonly name: string;
  readonly value: string;
}

/** One program with its arguments and redirections, as written. The first word is the program. */
export interface SimpleCommand {
  readonly kind: 'command';
  readonly words: readonly TreeWord[];
  readonly redirects: readonly Redirect[];
  /** Given to this program alone. */
  readonly variables?: readonly AssignedVariable[];
}

/** The accepted tree: everything a shell needs to be told again, and nothing else. */
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
  /** Goes on while the next commands run, and ends with the line at the latest. */
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
  /** The wrapper that would start it, where it is not the command itself. */
  readonly via?: string;
  /** True where the wrapper adds arguments that nobody can see beforehand (xargs reads them). */
  readonly unseenArguments?: true;
  /** Texts in the words that the wrapper replaces by what it reads (`xargs -I`). */
  readonly placeholders?: readonly string[];
  /** A wrapper takes variables away, or may, so that what we set for the command does not reach it. */
  readonly bareEnvironment?: true;
  /** Not surely started: words that a program may run. Only denies and consents look at it. */
  readonly possible?: true;
  /** The folder it would run in, relative to the call's own, after every `cd` before it; `.` is the same. */
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
   * A shell reads this text as it stands, and `tree` is the call of that shell. The programs and files are those that
   * the text shows: what may run, not what does.
   */
  readonly text?: string;
  /** Variables that the line itself gives to its programs. */
  readonly variables?: readonly AssignedVariable[];
  /** A part of it goes on beside the others. */
  readonly background?: true;
  /** Programs that nobody can name before the text runs, as they are written: `$TOOL`, `eval "$LINE"`. */
  readonly unseen?: readonly string[];
  /** A part of the text was not understood, so that programs in it may be missing above. */
  readonly unread?: true;
}

/** Why a command line is not accepted: the code, where, and what to write instead. */
export interface CommandRefusal {
  readonly reason: 'SHELL_SYNTAX' | 'UNPARSEABLE' | 'HAZARDOUS_ARGUMENT';
  readonly message: string;
  readonly hint: string;
  /** 1-based column in the text given, where one place is to blame. */
  readonly column?: number;
}

/** What a word says when nothing is expanded: a shell passes a pattern that matches nothing as it stands. */
export function wordText(word: TreeWord): string {
  return word.kind === 'glob' ? word.pattern.replace(/\\(.)/gsu, '$1') : word.text;
}
