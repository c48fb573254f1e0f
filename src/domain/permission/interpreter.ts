import { isShell } from './shell-invocation.js';

const LANGUAGES =
  /^(python|pypy|node|nodejs|deno|bun|perl|ruby|irb|php|lua|luajit|tclsh|wish|osascript|Rscript|R|julia|guile|racket|sbcl|clisp|scala|groovy|jshell|java|swift|elixir|iex|erl|escript|ghci|runghc|ocaml|raku|pwsh|powershell|tsx|ts-node|fish|csh|tcsh|nu|xonsh|elvish|awk|gawk|mawk|nawk|bc|dc|sqlite|gdb|lldb|m4)[0-9.]*(\.exe)?$/;
const RUNNERS = new Set([
  'npx',
  'bunx',
  'pnpx',
  'uvx',
  'pipx',
  'parallel',
  'entr',
  'script',
  'expect',
  'strace',
  'ltrace',
  'valgrind',
  'perf',
  'rlwrap',
  'ssh',
  'docker',
  'podman',
  'kubectl',
  'bwrap',
  'at',
  'batch',
  'crontab',
  'systemd-run',
  'vi',
  'vim',
  'nvim',
  'ex',
  'view',
  'ed',
  'emacs',
  'nano',
]);

/** Runs whatever code its arguments or its input hold: allowing it by name allows everything. */
export function isInterpreter(name: string): boolean {
  return isShell(name) || RUNNERS.has(name) || LANGUAGES.test(name);
}
