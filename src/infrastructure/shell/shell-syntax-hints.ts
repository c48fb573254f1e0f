import type { CommandRefusal } from '../../domain/command/command-plan.js';
import { refuseCommand } from '../../domain/command/command-refusal.js';
import type { Failure } from '../../domain/result.js';

/** Each piece of shell syntax that is refused: what it is called, and what to write instead. */
const SYNTAX = {
  variable: ['Variable expansion ($NAME)', 'write the value itself, or put the text in single quotes'],
  status: [
    'The status of the last command ($?)',
    'leave it out: the answer has exit_code; within a line, && and || decide by it',
  ],
  substitution: ['Command substitution', 'run the inner command first and pass its result'],
  arithmetic: ['Arithmetic expansion', 'compute the value first and write it out'],
  ansiQuote: [
    '$\'…\' and $"…" quoting',
    "use plain single quotes; for a tab or newline use printf '\\t' in a pipe",
  ],
  process: ['Process substitution', 'write the inner output to a file first, or use a pipe'],
  tilde: ['Tilde expansion', 'write the whole path, or put the text in single quotes'],
  braces: ['Brace expansion', 'write each word out, or put the text in single quotes'],
  extglob: ['A function definition or extended glob', 'quote the parenthesis, or write each name out'],
  background: ['Running in the background (&)', 'leave the & out: the call ends when the command ends'],
  continuation: ['A backslash before a line end', 'write the command on one line'],
  trailing: ['A backslash at the end', 'leave it out, or quote it as a single-quoted word'],
  control: [
    'A control character',
    "leave it out; printf '\\r' and the like make one where a program needs it",
  ],
  blank: [
    'A Unicode blank or invisible character outside quotes',
    'use an ordinary space, or quote the word',
  ],
  surrogate: ['Half of a character pair', 'send well-formed Unicode'],
  caseEnd: ['Case syntax (;; or ;&)', 'write the branch you need as a plain command'],
  arithmeticCommand: ['An arithmetic command ((…))', 'compute the value first'],
  readWrite: ['A redirection for reading and writing (<>)', 'use < or >'],
  namedDescriptor: ['A redirection into a variable ({name}>)', 'use a number from 0 to 9'],
  descriptor: ['A file descriptor above 9', 'use 0 to 9, or put a space before the redirection'],
  duplicate: ['A redirection to a descriptor that is not a digit from 0 to 9', 'write > FILE 2>&1, or 2>&1'],
  bracket: ['A bracket pattern that is not closed, or holds quotes or a slash', 'quote the word'],
  heredoc: ['A here-document that a shell would expand', "quote its delimiter: <<'EOF'"],
  delimiter: ['A here-document delimiter that is not a plain word', "write <<'EOF'"],
  redirectGlob: ['A pattern as the target of a redirection', 'name the one file'],
  reserved: ['Control flow', 'run the commands one by one, or join them with && and ||'],
  loop: ['A loop', 'give all names to one program, as in wc -l src/*.js, or pass them on with xargs'],
  assignment: ['A variable assignment', 'write env NAME=value PROGRAM, or put the value where it is used'],
  programGlob: ['A pattern in the place of a program', 'name the program'],
  emptyCommand: ['Redirections without a program', 'use: true > FILE'],
  test: ['The [[ … ]] test', 'use: test EXPRESSION, or [ EXPRESSION ]'],
  timeOption: ['An option of the word time', 'write time alone, or leave it out'],
} as const;

export type ShellSyntax = keyof typeof SYNTAX;

export function refuseSyntax(syntax: ShellSyntax, offset: number): Failure<CommandRefusal> {
  const [name, hint] = SYNTAX[syntax];
  return refuseCommand('SHELL_SYNTAX', `${name} is not accepted`, hint, offset);
}

export function refuseUnreadable(message: string, offset?: number): Failure<CommandRefusal> {
  return refuseCommand(
    'UNPARSEABLE',
    message,
    'check the quotes and operators, or give command and args separately',
    offset,
  );
}
