import type { CommandRefusal } from '../../domain/command/command-plan.js';
import { Result } from '../../domain/result.js';
import { refuseSyntax, refuseUnreadable } from './shell-syntax-hints.js';
import type { ShellToken } from './shell-token.js';

const DELIMITER = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;
const EXPANDED = /[$`\\]/;

/** Reads the bodies that begin at `start`, in order, into their tokens; the position after the last one. */
export function readHeredocs(
  text: string,
  start: number,
  tokens: ShellToken[],
  pending: readonly number[],
): Result<number, CommandRefusal> {
  let position = start;
  for (const index of pending) {
    const token = tokens[index];
    if (token?.kind !== 'redirect') continue;
    const { target, operator } = token;
    if (target.pattern !== undefined || !DELIMITER.test(target.value)) {
      return refuseSyntax('delimiter', target.pos);
    }
    const body = readBody(text, position, target.value, operator === '<<-');
    if (body === undefined) {
      return refuseUnreadable(`The here-document is not closed by a line with ${target.value}`, token.pos);
    }
    const expanded = target.bare ? EXPANDED.exec(text.slice(position, body.end)) : null;
    if (expanded !== null) return refuseSyntax('heredoc', position + expanded.index);
    tokens[index] = { ...token, body: body.text };
    position = body.end;
  }
  return Result.ok(position);
}

export function readBody(
  text: string,
  start: number,
  delimiter: string,
  stripTabs: boolean,
): { text: string; end: number } | undefined {
  let body = '';
  let position = start;
  while (position < text.length) {
    const lineEnd = text.indexOf('\n', position);
    const end = lineEnd < 0 ? text.length : lineEnd;
    const raw = text.slice(position, end);
    const line = stripTabs ? raw.replace(/^\t+/, '') : raw;
    position = lineEnd < 0 ? end : end + 1;
    if (line === delimiter) return { text: body, end: position };
    body += `${line}\n`;
  }
  return undefined;
}
