import type { Redirection } from 'unbash';
import type { CommandRefusal, Redirect } from '../../domain/command/command-plan.js';
import { Result } from '../../domain/result.js';
import { refuseSyntax, refuseUnreadable } from './shell-syntax-hints.js';
import type { RedirectToken } from './shell-token.js';
import type { TokenCursor } from './token-cursor.js';

type Converted = Result<readonly Redirect[], CommandRefusal>;

/** One redirection of the parser, held against the lexer's, as one or two of ours. */
export function convertRedirect(redirection: Redirection, cursor: TokenCursor): Converted {
  const token = cursor.takeRedirect(redirection.pos, redirection.operator);
  if (token === undefined || !agrees(redirection, token)) {
    return refuseUnreadable('A redirection can be read in more than one way', redirection.pos);
  }
  const heredoc = token.operator === '<<' || token.operator === '<<-';
  if (token.target.documents !== undefined && token.operator !== '<<<')
    return refuseSyntax('substitution', token.target.pos);
  if (token.target.pattern !== undefined && token.operator !== '<<<' && !heredoc) {
    return refuseSyntax('redirectGlob', token.target.pos);
  }
  return toRedirects(token);
}

function agrees(redirection: Redirection, token: RedirectToken): boolean {
  const { descriptor } = redirection;
  if (descriptor !== undefined && descriptor.type !== 'FileDescriptor') return false;
  if (descriptor?.value !== token.fd) return false;
  if (redirection.type === 'HereDoc') {
    const { text } = redirection.body;
    const body = redirection.operator === '<<-' ? text.replace(/^\t+/gm, '') : text;
    return redirection.delimiter?.value === token.target.value && body === token.body;
  }
  const { target } = redirection;
  if (target === undefined || target.pos !== token.target.pos || target.end !== token.target.end)
    return false;
  return token.target.pattern !== undefined || target.value === (token.target.spelled ?? token.target.value);
}

function toRedirects(token: RedirectToken): Converted {
  const { target, fd, operator } = token;
  const both: Redirect = { kind: 'duplicate', fd: 2, from: 1 };
  const file = (mode: 'read' | 'write' | 'append', standard: number): Redirect => ({
    kind: 'file',
    fd: fd ?? standard,
    mode,
    target: target.value,
  });
  if (target.value === '' && operator !== '<<<') return refuseUnreadable('An empty file name', target.pos);
  switch (operator) {
    case '<':
      return Result.ok([file('read', 0)]);
    case '>':
    case '>|':
      return Result.ok([file('write', 1)]);
    case '>>':
      return Result.ok([file('append', 1)]);
    case '&>':
      return Result.ok([file('write', 1), both]);
    case '&>>':
      return Result.ok([file('append', 1), both]);
    case '<<<':
      return Result.ok([{ kind: 'text', fd: fd ?? 0, text: `${target.value}\n` }]);
    case '<<':
    case '<<-':
      return Result.ok([{ kind: 'text', fd: fd ?? 0, text: token.body ?? '' }]);
    case '<&':
    case '>&':
      if (!target.bare || !/^[0-9]$/.test(target.value)) return refuseSyntax('duplicate', token.pos);
      return Result.ok([
        { kind: 'duplicate', fd: fd ?? (operator === '<&' ? 0 : 1), from: Number(target.value) },
      ]);
  }
}
