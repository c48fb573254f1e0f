import type {
  AssignedVariable,
  CommandNode,
  CommandRefusal,
  CommandWord,
  Redirect,
} from '../../domain/command/command-plan.js';
import { refuseCommand } from '../../domain/command/command-refusal.js';
import { RESERVED_WORDS } from '../../domain/command/shell-vocabulary.js';
import { Result } from '../../domain/result.js';
import { harmlessBuiltin } from './shell-builtins.js';
import { refuseSyntax, refuseUnreadable } from './shell-syntax-hints.js';
import type { WordToken } from './shell-token.js';

const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*(\[.*\])?\+?=/s;

interface SimpleParts {
  readonly tokens: readonly WordToken[];
  readonly redirects: readonly Redirect[];
  readonly variables: readonly AssignedVariable[];
  readonly pos: number;
}

/** One program with its words, or one of the builtins that are understood. */
export function simpleCommand({
  tokens,
  redirects,
  variables,
  pos,
}: SimpleParts): Result<CommandNode, CommandRefusal> {
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
): Result<CommandNode, CommandRefusal> {
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
