import type { Assignment } from 'unbash';
import type {
  AssignedVariable,
  CommandNode,
  CommandRefusal,
  Redirect,
} from '../../domain/command/command-plan.js';
import { refuseCommand } from '../../domain/command/command-refusal.js';
import { isFollowedByShell } from '../../domain/command/shell-variables.js';
import { type Failure, Result } from '../../domain/result.js';
import { refuseSyntax, refuseUnreadable } from './shell-syntax-hints.js';
import type { WordToken } from './shell-token.js';
import type { TokenCursor } from './token-cursor.js';

const SET_OPTION = /^[-+](?:[eu]+|[eu]*o)$/;
const SET_NAME = new Set(['errexit', 'nounset', 'pipefail']);

/** `NAME=value` before a program or after export, with a value that is written out. */
export function assignedVariable(
  { pos, end, name, value, append, index }: Assignment,
  cursor: TokenCursor,
): Result<AssignedVariable, CommandRefusal> {
  if (append || index !== undefined || value.type !== 'Word') return refuseSyntax('assignment', pos);
  const token = cursor.takeWord(pos, end, `${name}=${value.value}`);
  if (token === undefined) return refuseUnreadable('An assignment can be read in more than one way', pos);
  if (token.alternatives !== undefined || token.documents !== undefined)
    return refuseSyntax('assignment', pos);
  if (!token.value.startsWith(`${name}=`) || !/^[A-Za-z_]\w*$/.test(name))
    return refuseSyntax('assignment', pos);
  if (isFollowedByShell(name)) return refuseObeyed(name, pos);
  return Result.ok({ name, value: token.value.slice(name.length + 1) });
}

function refuseObeyed(name: string, pos: number): Failure<CommandRefusal> {
  return refuseCommand(
    'SHELL_SYNTAX',
    `An assignment to ${name} is not accepted, because the shell itself obeys it`,
    `leave ${name} out, or name programs and files by their whole paths`,
    pos,
  );
}

/** Builtins that change nothing about which programs run: undefined where it is none of them. */
export function harmlessBuiltin(
  program: WordToken,
  rest: readonly WordToken[],
  redirects: readonly Redirect[],
  variables: readonly AssignedVariable[],
): Result<CommandNode, CommandRefusal> | undefined {
  if (!program.bare || rest.some((word) => word.pattern !== undefined || word.alternatives !== undefined))
    return undefined;
  const words = rest.map((word) => word.value);
  const node = (name: 'command' | 'set' | 'export'): Result<CommandNode, CommandRefusal> =>
    Result.ok({ kind: 'builtin', name, words, redirects, ...(variables.length > 0 && { variables }) });
  switch (program.value) {
    case 'command':
      return /^-[vV]$/.test(words[0] ?? '') && words.length > 1 && variables.length === 0
        ? node('command')
        : undefined;
    case 'set':
      return words.length > 0 && areOptions(words) && redirects.length + variables.length === 0
        ? node('set')
        : undefined;
    case 'export':
      return words.length === 0 && variables.length > 0 && redirects.length === 0
        ? node('export')
        : undefined;
    default:
      return undefined;
  }
}

/** -e, -u and -o pipefail: when a line ends, never what it does. */
function areOptions(words: readonly string[]): boolean {
  return words.every((word, index) =>
    /^[-+][eu]*o$/.test(words[index - 1] ?? '') ? SET_NAME.has(word) : SET_OPTION.test(word),
  );
}
