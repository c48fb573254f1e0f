import type { AndOr, Command, ParsedScript, PipelineNode, Redirected, Statement, Word } from 'unbash';
import type {
  AssignedVariable,
  CommandNode,
  CommandRefusal,
  CommandWord,
  Redirect,
} from '../../domain/command/command-plan.js';
import { refuseCommand } from '../../domain/command/command-refusal.js';
import { RESERVED_WORDS } from '../../domain/command/shell-vocabulary.js';
import { type Failure, Result } from '../../domain/result.js';
import { sameDocuments } from './quoted-document.js';
import { assignedVariable, harmlessBuiltin } from './shell-builtins.js';
import { convertRedirect } from './shell-redirect.js';
import { refuseSyntax, refuseUnreadable } from './shell-syntax-hints.js';
import type { ShellOperator, ShellToken, WordToken } from './shell-token.js';
import { TokenCursor } from './token-cursor.js';

const MAX_COMMANDS = 256;
const MAX_DEPTH = 64;

type Converted = Result<CommandNode, CommandRefusal>;
type Item = { readonly operator: '&&' | '||' | ';'; readonly node: CommandNode };

/**
 * The parser's tree as ours, holding every leaf against our own reading of the text: structure comes from the
 * parser, words from the lexer, and where the two disagree nothing is accepted.
 */
export function convertTree(script: ParsedScript, tokens: readonly ShellToken[]): Converted {
  const error = script.errors?.[0];
  if (error !== undefined)
    return refuseUnreadable(`The command cannot be parsed: ${error.message}`, error.pos);
  if (script.commands.length === 0) return refuseUnreadable('The command is empty');
  const converter = new TreeConverter(tokens);
  const tree = converter.list(script.commands, 0);
  if (!tree.success) return tree;
  return converter.finished() ? tree : converter.disagreement();
}

class TreeConverter {
  private readonly cursor: TokenCursor;
  private commands = 0;

  constructor(tokens: readonly ShellToken[]) {
    this.cursor = new TokenCursor(tokens);
  }

  finished(): boolean {
    return this.cursor.atEnd();
  }

  disagreement(): Failure<CommandRefusal> {
    return refuseUnreadable('The command can be read in more than one way', this.cursor.position());
  }

  list(statements: readonly Statement[], depth: number): Converted {
    if (depth > MAX_DEPTH) return refuseUnreadable('The groups are nested too deeply');
    const items: Item[] = [];
    let separated = true;
    for (const { command, background } of statements) {
      if (!separated && !this.operator(';')) return this.disagreement();
      const own: Item[] = [];
      const refused = this.andOr(command, background ? own : items, depth);
      if (refused !== undefined) return refused;
      if (background) {
        if (!this.operator('&')) return this.disagreement();
        items.push({ operator: ';', node: { kind: 'background', body: listOf(own) } });
      }
      separated = background === true;
    }
    if (items.length === 0) return refuseUnreadable('An empty group', this.cursor.position());
    return Result.ok(listOf(items));
  }

  private andOr(
    node: AndOr | PipelineNode,
    items: Item[],
    depth: number,
  ): Failure<CommandRefusal> | undefined {
    const parts = node.type === 'AndOr' ? node.commands : [node];
    for (const [index, part] of parts.entries()) {
      const operator = node.type === 'AndOr' && index > 0 ? node.operators[index - 1] : ';';
      if (operator === undefined || (index > 0 && !this.operator(operator))) return this.disagreement();
      const converted = this.pipeline(part, depth);
      if (!converted.success) return converted;
      items.push({ operator, node: converted.value });
    }
    return undefined;
  }

  private pipeline(node: PipelineNode, depth: number): Converted {
    if (node.type !== 'Pipeline') return this.command(node, depth);
    let negated = false;
    let timed = false;
    for (const prefix of node.prefixes) {
      const word = prefix.type === 'Time' ? 'time' : '!';
      if (prefix.type === 'Time' && (prefix.posix ?? prefix.endOfOptions))
        return refuseSyntax('timeOption', prefix.pos);
      if (!this.keyword(word, prefix.pos) || (word === '!' ? negated : timed)) return this.disagreement();
      if (word === '!') negated = true;
      else timed = true;
    }
    const parts: CommandNode[] = [];
    for (const [index, part] of node.commands.entries()) {
      const operator = index === 0 ? undefined : node.operators[index - 1];
      if (index > 0 && (operator === undefined || !this.operator(operator))) return this.disagreement();
      const converted = this.command(part, depth);
      if (!converted.success) return converted;
      const both = node.operators[index] === '|&' ? withErrorOutput(converted.value) : converted;
      if (!both.success) return both;
      parts.push(both.value);
    }
    if (parts.length === 0) return refuseUnreadable('! or time without a command', node.pos);
    return Result.ok({ kind: 'pipeline', negated, ...(timed && { timed }), parts });
  }

  private command(node: PipelineNode, depth: number): Converted {
    switch (node.type) {
      case 'Command':
        return this.simple(node);
      case 'Redirected':
        return this.redirected(node, depth);
      case 'Subshell':
      case 'BraceGroup':
        return this.group(node, [], depth);
      case 'TestCommand':
        return refuseSyntax('test', node.pos);
      case 'ArithmeticCommand':
        return refuseSyntax('arithmeticCommand', node.pos);
      case 'Function':
        return refuseSyntax('extglob', node.pos);
      case 'Pipeline':
        return this.disagreement();
      default:
        return refuseSyntax('reserved', node.pos);
    }
  }

  private redirected(node: Redirected, depth: number): Converted {
    const { command } = node;
    if (command.type !== 'Subshell' && command.type !== 'BraceGroup') return this.command(command, depth);
    return this.group(command, node.redirects, depth);
  }

  private group(
    node: Extract<PipelineNode, { type: 'Subshell' | 'BraceGroup' }>,
    redirections: Redirected['redirects'],
    depth: number,
  ): Converted {
    const subshell = node.type === 'Subshell';
    if (!(subshell ? this.operator('(') : this.keyword('{', node.pos))) return this.disagreement();
    const body = this.list(node.body.commands, depth + 1);
    if (!body.success) return body;
    this.cursor.skipSeparator();
    if (!(subshell ? this.operator(')') : this.keyword('}', node.end - 1))) return this.disagreement();
    const redirects: Redirect[] = [];
    for (const redirection of redirections) {
      const converted = convertRedirect(redirection, this.cursor);
      if (!converted.success) return converted;
      redirects.push(...converted.value);
    }
    return Result.ok({ kind: 'group', subshell, body: body.value, redirects });
  }

  private simple(node: Command): Converted {
    this.commands += 1;
    if (this.commands > MAX_COMMANDS) return refuseUnreadable(`More than ${MAX_COMMANDS} commands`, node.pos);
    const tokens: WordToken[] = [];
    const redirects: Redirect[] = [];
    const variables: AssignedVariable[] = [];
    for (const part of [...node.prefix, ...(node.name ? [node.name] : []), ...node.suffix]) {
      if (part.type === 'Assignment') {
        const variable = assignedVariable(part, this.cursor);
        if (!variable.success) return variable;
        variables.push(variable.value);
        continue;
      }
      if (part.type === 'Word') {
        const token = this.word(part);
        if (token === undefined) return this.disagreement();
        tokens.push(token);
        continue;
      }
      const converted = convertRedirect(part, this.cursor);
      if (!converted.success) return converted;
      redirects.push(...converted.value);
    }
    return simpleCommand({ tokens, redirects, variables, pos: node.pos });
  }

  private word(word: Word): WordToken | undefined {
    const token = this.cursor.takeWord(word.pos, word.end, word.value);
    return token?.documents === undefined || sameDocuments(word, token) ? token : undefined;
  }

  private keyword(text: string, pos: number): boolean {
    const token = this.cursor.takeWord(pos, pos + text.length, text);
    return token?.bare === true;
  }

  private operator(text: ShellOperator): boolean {
    return this.cursor.takeOperator(text);
  }
}

/** As one node, where there is one. */
function listOf(items: readonly Item[]): CommandNode {
  const [first, ...rest] = items;
  // Every statement has a command; the compiler cannot know.
  if (first === undefined) throw new Error('A list without commands.');
  return rest.length === 0 ? first.node : { kind: 'list', first: first.node, rest };
}

const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*(\[.*\])?\+?=/s;

interface SimpleParts {
  readonly tokens: readonly WordToken[];
  readonly redirects: readonly Redirect[];
  readonly variables: readonly AssignedVariable[];
  readonly pos: number;
}

function simpleCommand({ tokens, redirects, variables, pos }: SimpleParts): Converted {
  const [program, ...rest] = tokens;
  if (program === undefined && variables.length > 0) return refuseSyntax('assignment', pos);
  if (program === undefined) return refuseSyntax('emptyCommand', pos);
  if (program.bare && program.value === '[[') return refuseSyntax('test', program.pos);
  if (program.bare && RESERVED_WORDS.has(program.value)) return refuseSyntax('reserved', program.pos);
  // Stricter than bash, which wants the name unquoted: nobody needs a program called a=b.
  if (ASSIGNMENT.test(program.value)) return refuseSyntax('assignment', program.pos);
  if (program.pattern !== undefined) return refuseSyntax('programGlob', program.pos);
  if (program.alternatives !== undefined) return refuseSyntax('braces', program.pos);
  const builtin = harmlessBuiltin(program, rest, redirects, variables);
  if (builtin !== undefined) return builtin;
  if (program.value === '') return refuseUnreadable('The name of the program is empty', program.pos);
  if (program.value !== 'cd') {
    const words = tokens.flatMap(toWords);
    return Result.ok({ kind: 'command', words, redirects, ...(variables.length > 0 && { variables }) });
  }
  if (variables.length > 0) return refuseSyntax('assignment', pos);
  return changeDirectory(program, rest, redirects);
}

function changeDirectory(
  program: WordToken,
  rest: readonly WordToken[],
  redirects: readonly Redirect[],
): Converted {
  const operands = rest[0]?.value === '--' ? rest.slice(1) : rest;
  const [directory, ...others] = operands;
  const plain =
    directory !== undefined &&
    directory.pattern === undefined &&
    directory.alternatives === undefined &&
    others.length === 0;
  if (!plain || directory.value === '' || directory.value.startsWith('-') || redirects.length > 0) {
    return refuseCommand(
      'SHELL_SYNTAX',
      'cd takes one folder, written out, and nothing else',
      'write cd DIR && COMMAND, without options, patterns or redirections',
      program.pos,
    );
  }
  return Result.ok({ kind: 'cd', directory: directory.value });
}

function toWords(token: WordToken): readonly CommandWord[] {
  return (token.alternatives ?? [token]).map(({ value, pattern }) =>
    pattern === undefined ? { kind: 'literal', text: value } : { kind: 'glob', pattern },
  );
}

/** `a |& b` is `a 2>&1 | b`, with the duplication after every redirection of a. */
function withErrorOutput(node: CommandNode): Converted {
  const both: Redirect = { kind: 'duplicate', fd: 2, from: 1 };
  if (node.kind !== 'command' && node.kind !== 'group') return refuseUnreadable('|& after cd');
  return Result.ok({ ...node, redirects: [...node.redirects, both] });
}
