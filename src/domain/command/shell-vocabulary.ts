/** Words that are grammar at the start of a command. `{`, `}`, `!` and `time` are handled by the tree. */
export const RESERVED_WORDS: ReadonlySet<string> = new Set([
  'if',
  'then',
  'else',
  'elif',
  'fi',
  'case',
  'esac',
  'for',
  'select',
  'while',
  'until',
  'do',
  'done',
  'in',
  'function',
  'coproc',
  'time',
  '{',
  '}',
  '!',
  '[[',
  ']]',
]);

const JOIN = 'join the commands with &&: the next one then runs only if the one before succeeded';
const ENVIRONMENT = 'give variables to one program: env NAME=value PROGRAM';
const SOURCE =
  'name the program by its path in place of activating it, as in .venv/bin/python; give variables with env NAME=value PROGRAM';
const INNER = 'write the command itself';
const NONE = 'leave it out: every call starts with a fresh shell and ends with it';

/**
 * Builtins that only a shell can run, with what to write instead. Each changes the shell or runs text as
 * code.
 */
const SHELL_ONLY: Readonly<Record<string, string>> = {
  '.': SOURCE,
  ':': 'write true',
  alias: INNER,
  bg: NONE,
  bind: NONE,
  break: NONE,
  builtin: INNER,
  caller: NONE,
  chdir: 'write cd DIR && …',
  command: 'ask with: which NAME; or run the program by its name alone',
  compgen: NONE,
  complete: NONE,
  compopt: NONE,
  continue: NONE,
  declare: ENVIRONMENT,
  dirs: 'write pwd',
  disown: NONE,
  enable: NONE,
  eval: INNER,
  exec: 'leave exec out and write the command itself',
  exit: 'leave it out: && and || already decide what runs, and the last status is reported',
  export: ENVIRONMENT,
  fc: NONE,
  fg: NONE,
  getopts: NONE,
  hash: 'ask with: which NAME',
  help: NONE,
  history: NONE,
  jobs: NONE,
  let: 'compute the value first and write it out',
  local: ENVIRONMENT,
  logout: NONE,
  mapfile: NONE,
  popd: 'write (cd DIR && command): the folder holds inside the parentheses only',
  pushd: 'write (cd DIR && command): the folder holds inside the parentheses only',
  read: NONE,
  readarray: NONE,
  readonly: ENVIRONMENT,
  return: NONE,
  set: JOIN,
  shift: NONE,
  shopt: NONE,
  source: SOURCE,
  suspend: NONE,
  times: NONE,
  trap: JOIN,
  type: 'ask with: which NAME',
  typeset: ENVIRONMENT,
  ulimit: 'limits come from the policy; leave it out',
  umask: NONE,
  unalias: NONE,
  unset: 'write env -u NAME PROGRAM',
  wait: NONE,
};

/** Returns undefined for a program; otherwise a hint what to write instead of this builtin. */
export function shellOnlyHint(program: string): string | undefined {
  return Object.hasOwn(SHELL_ONLY, program) ? SHELL_ONLY[program] : undefined;
}
