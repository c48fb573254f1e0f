import { injectable } from 'inversify';
import type { ParsedScript } from 'unbash';
import type { CommandParser, ShellMode } from '../../application/ports/command/command-parser.js';
import type { CommandNode, CommandPlan, CommandRefusal } from '../../domain/command/command-plan.js';
import { refuseCommand } from '../../domain/command/command-refusal.js';
import { planCommand } from '../../domain/command/plan-command.js';
import { type Failure, Result } from '../../domain/result.js';
import { lexShell } from './shell-lexer.js';
import { refuseSyntax, refuseUnreadable } from './shell-syntax-hints.js';
import { convertTree } from './shell-tree.js';

const MAX_TEXT_BYTES = 65_536;
const MAX_ARGUMENT_BYTES = 131_071;
const MAX_ARGV_BYTES = 1_048_576;
const KEPT_PLANS = 16;
const LOOP = /(^[ \t]*|[;&|(\n][ \t]*)(?:for|while|until)[ \t]/;

/** Reads command lines with two independent readers and accepts what both understand in the same way. */
@injectable()
export class ShellParser implements CommandParser {
  private parseBash: ((source: string) => ParsedScript) | undefined;
  /** The policy decides on a line and the one who runs it reads it again a moment later. */
  private readonly plans = new Map<string, Result<CommandPlan, CommandRefusal>>();

  /** The parser's package takes longer to load than a start-up may spend on it. */
  async load(): Promise<void> {
    this.parseBash ??= (await import('unbash')).parse;
  }

  parse(text: string, mode: ShellMode): Result<CommandPlan, CommandRefusal> {
    const key = `${mode} ${text}`;
    const plan = this.plans.get(key) ?? this.read(text, mode);
    this.plans.delete(key);
    this.plans.set(key, plan);
    if (this.plans.size > KEPT_PLANS) this.plans.delete(this.plans.keys().next().value ?? key);
    return plan;
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

  fromArgv(command: string, args: readonly string[]): Result<CommandPlan, CommandRefusal> {
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
    return planCommand(tree, (inner) => this.tree(inner));
  }

  private tree(text: string): Result<CommandNode, CommandRefusal> {
    if (Buffer.byteLength(text) > MAX_TEXT_BYTES) {
      return refuseUnreadable('The command is longer than 64 KiB: write large input to a file first');
    }
    const tokens = lexShell(text);
    if (!tokens.success) return refuseLoop(text) ?? tokens;
    if (tokens.value.length === 0) return refuseUnreadable('The command is empty');
    return this.convert(text, tokens.value);
  }

  private convert(
    text: string,
    tokens: Parameters<typeof convertTree>[1],
  ): Result<CommandNode, CommandRefusal> {
    if (this.parseBash === undefined) throw new Error('load() must have settled before a command is read.');
    let script: ParsedScript;
    try {
      script = this.parseBash(text);
    } catch (cause) {
      const detail = cause instanceof Error ? cause.message : String(cause);
      return refuseUnreadable(`The command cannot be parsed: ${detail}`);
    }
    return convertTree(script, tokens);
  }
}

/** Whoever writes a loop is helped by another word than about the first variable in it. */
function refuseLoop(text: string): Failure<CommandRefusal> | undefined {
  const found = LOOP.exec(text);
  return found === null || !/[;\n][ \t]*do[ \t\n]/.test(text)
    ? undefined
    : refuseSyntax('loop', found.index + (found[1] ?? '').length);
}

/** A parser that is ready to read. */
export async function loadShellParser(): Promise<CommandParser> {
  const parser = new ShellParser();
  await parser.load();
  return parser;
}
