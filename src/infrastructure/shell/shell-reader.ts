import type { ParsedScript } from 'unbash';
import type { CommandNode, CommandPlan, CommandRefusal } from '../../domain/command/command-plan.js';
import { refuseCommand } from '../../domain/command/command-refusal.js';
import { planArgv, planText } from '../../domain/command/full/plan-text.js';
import { planCommand } from '../../domain/command/plan-command.js';
import { isShell } from '../../domain/command/shell-invocation.js';
import type { ShellMode } from '../../domain/command/shell-mode.js';
import { programName } from '../../domain/command/wrapper.js';
import { type Failure, Result } from '../../domain/result.js';
import { readShellText } from './full/text-reader.js';
import { takesTooLong } from './reading-work.js';
import { lexShell } from './shell-lexer.js';
import { refuseSyntax, refuseUnreadable } from './shell-syntax-hints.js';
import { convertTree } from './shell-tree.js';

const MAX_TEXT_BYTES = 65_536;
const MAX_ARGUMENT_BYTES = 131_071;
const MAX_ARGV_BYTES = 1_048_576;
const TOO_LONG = 'The command is longer than 64 KiB: write large input to a file first';
const LOOP = /(^[ \t]*|[;&|(\n][ \t]*)(?:for|while|until)[ \t]/;

/** Reads command lines with two independent readers and accepts what both understand in the same way. */
export class ShellReader {
  constructor(
    private readonly parseBash: (source: string) => ParsedScript,
    /** What `~` stands for. */
    private readonly home: string,
  ) {}

  /** Throws where the parser gives up, or would not be done soon. */
  private bashTree(source: string): ParsedScript {
    if (takesTooLong(source)) throw new Error('it is nested too deeply, or has too many braces in one word');
    return this.parseBash(source);
  }

  parse(text: string, mode: ShellMode): Result<CommandPlan, CommandRefusal> {
    return mode === 'full' ? this.readFully(text) : this.read(text, mode);
  }

  /** The exact reading where there is one; else the text itself, for a shell, with what it shows. */
  private readFully(text: string): Result<CommandPlan, CommandRefusal> {
    const exact = this.read(text, 'static');
    if (exact.success)
      return mayTellShell(exact.value) ? Result.ok(this.withInner(exact.value, text)) : exact;
    const unfit = unfitText(text);
    return unfit ?? Result.ok(planText(text, (inner) => this.survey(inner)));
  }

  /** What a shell or xargs of the line is given is looked at as well, by denies and questions. */
  private withInner(plan: CommandPlan, text: string): CommandPlan {
    const { programs, unseen, unread } = planText(text, (inner) => this.survey(inner));
    return {
      ...plan,
      programs: [
        ...plan.programs,
        ...programs.slice(1).map((call) => ({ ...call, possible: true as const })),
      ],
      ...(unseen && { unseen }),
      ...(unread && { unread }),
    };
  }

  private survey(text: string) {
    return readShellText(text, (source) => this.bashTree(source), this.home);
  }

  private read(text: string, mode: ShellMode): Result<CommandPlan, CommandRefusal> {
    const tree = this.tree(text);
    if (!tree.success) return tree;
    if (mode === 'none' && (tree.value.kind !== 'command' || tree.value.redirects.length > 0)) {
      return refuseCommand(
        'SHELL_SYNTAX',
        'This policy accepts one simple command a call, without pipes, lists or redirections',
        'run each command in a call of its own',
      );
    }
    return planCommand(tree.value, (inner) => this.tree(inner));
  }

  fromArgv(command: string, args: readonly string[], mode: ShellMode): Result<CommandPlan, CommandRefusal> {
    const words = [command, ...args];
    const unfit = words.find((word) => word.includes('\0') || /\p{Cs}/u.test(word));
    if (unfit !== undefined) return refuseUnreadable('An argument holds a NUL or half of a character pair');
    if (command === '') return refuseUnreadable('The command is empty');
    const sizes = words.map((word) => Buffer.byteLength(word) + 1);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    if (sizes.some((size) => size > MAX_ARGUMENT_BYTES) || total > MAX_ARGV_BYTES) {
      return refuseUnreadable('The arguments are longer than a program can be given');
    }
    const tree: CommandNode = {
      kind: 'command',
      words: words.map((text) => ({ kind: 'literal', text })),
      redirects: [],
    };
    const plan = planCommand(tree, (inner) => this.tree(inner));
    if (plan.success || mode !== 'full') return plan;
    return Result.ok(planArgv(words, (inner) => this.survey(inner)));
  }

  private tree(text: string): Result<CommandNode, CommandRefusal> {
    if (Buffer.byteLength(text) > MAX_TEXT_BYTES) {
      return refuseUnreadable(TOO_LONG);
    }
    const tokens = lexShell(text, this.home);
    if (!tokens.success) return refuseLoop(text) ?? tokens;
    if (tokens.value.length === 0) return refuseUnreadable('The command is empty');
    return this.convert(text, tokens.value);
  }

  private convert(
    text: string,
    tokens: Parameters<typeof convertTree>[1],
  ): Result<CommandNode, CommandRefusal> {
    let script: ParsedScript;
    try {
      script = this.bashTree(text);
    } catch (cause) {
      const detail = cause instanceof Error ? cause.message : String(cause);
      return refuseUnreadable(`The command cannot be parsed: ${detail}`);
    }
    return convertTree(script, tokens);
  }
}

/** Whether the line gives commands to a shell, or words to a program, that stand elsewhere in it. */
function mayTellShell({ programs }: CommandPlan): boolean {
  return programs.some(({ program }) => isShell(programName(program)) || programName(program) === 'xargs');
}

/** What no program can be given as an argument. */
function unfitText(text: string): Failure<CommandRefusal> | undefined {
  if (text.trim() === '') return refuseUnreadable('The command is empty');
  if (Buffer.byteLength(text) > MAX_TEXT_BYTES) return refuseUnreadable(TOO_LONG);
  if (text.includes('\0') || !text.isWellFormed())
    return refuseUnreadable('The command holds a NUL or half of a character pair');
  return undefined;
}

/** Whoever writes a loop is helped by another word than about the first variable in it. */
function refuseLoop(text: string): Failure<CommandRefusal> | undefined {
  const found = LOOP.exec(text);
  return found === null || !/[;\n][ \t]*do[ \t\n]/.test(text)
    ? undefined
    : refuseSyntax('loop', found.index + (found[1] ?? '').length);
}
