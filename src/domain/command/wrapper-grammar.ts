import type { OptionGrammar } from './programs/option-grammar.js';

/** How a program that starts another one is called. */
export interface WrapperGrammar extends OptionGrammar {
  /** The number of operands before the inner program. */
  readonly skips?: number;
  /** True if `NAME=value` words come before the inner program. */
  readonly assignments?: true;
  /** True if it adds arguments to those written. */
  readonly addsArguments?: true;
  /** True if it accepts `-c SCRIPT` instead of a program. */
  readonly script?: true;
  /** True if the inner program is a part of this one. */
  readonly applets?: true;
  /** What it runs does not receive the variables that we set: always, or with one of these options. */
  readonly dropsVariables?: true | readonly string[];
  /** With one of these options it starts nothing. */
  readonly alone?: readonly string[];
  /** Never accepted, with the reason. */
  readonly never?: string;
}

const ELSEWHERE = 'changes the folder: write cd DIR && instead';
const HELP = 'help version';

const WRAPPERS: Readonly<Record<string, WrapperGrammar>> = {
  env: {
    leading: true,
    assignments: true,
    dropsVariables: ['-i', '-u', '--ignore-environment', '--unset'],
    flags: 'i0v',
    values: 'u',
    long: `ignore-environment null unset= debug block-signal=? default-signal=? ignore-signal=? list-signal-handling ${HELP}`,
    refused: {
      '-S': 'splits a string into words',
      '--split-string': 'splits a string into words',
      '-C': ELSEWHERE,
      '--chdir': ELSEWHERE,
    },
  },
  nice: { leading: true, numeric: true, values: 'n', long: `adjustment= ${HELP}` },
  nohup: { leading: true, long: HELP },
  timeout: {
    leading: true,
    skips: 1,
    flags: 'fpv',
    values: 'ks',
    long: `foreground kill-after= preserve-status signal= verbose ${HELP}`,
  },
  setsid: { leading: true, flags: 'cfw', long: `ctty fork wait ${HELP}` },
  stdbuf: { leading: true, values: 'ioe', long: `input= output= error= ${HELP}` },
  ionice: {
    leading: true,
    flags: 't',
    values: 'cnpPu',
    long: `class= classdata= ignore pid= pgid= uid= ${HELP}`,
    alone: ['-p', '-P', '-u', '--pid', '--pgid', '--uid'],
  },
  taskset: { leading: true, skips: 1, flags: 'ac', long: `all-tasks cpu-list ${HELP}` },
  chrt: { leading: true, skips: 1, flags: 'abfior', long: `batch fifo idle other rr ${HELP}` },
  prlimit: {
    leading: true,
    optional: 'cdefilmnqrstuvxy',
    long: `core=? data=? nice=? fsize=? sigpending=? memlock=? rss=? nofile=? msgqueue=? rtprio=? stack=? cpu=? nproc=? as=? locks=? rttime=? noheadings raw ${HELP}`,
  },
  time: {
    leading: true,
    flags: 'pvqV',
    values: 'f',
    long: `portability verbose quiet format= ${HELP}`,
    refused: { '-o': 'writes a file', '--output': 'writes a file', '-a': 'appends to a file' },
  },
  sudo: {
    leading: true,
    assignments: true,
    dropsVariables: true,
    flags: 'ABEHKknSbPlv',
    values: 'ghpuTrtU',
    long: `user= group= host= prompt= non-interactive preserve-env=? set-home stdin reset-timestamp remove-timestamp background list validate ${HELP}`,
    alone: ['-l', '-v', '-K', '--list', '--validate', '--remove-timestamp'],
    refused: {
      '-s': 'starts a shell',
      '-i': 'starts a login shell',
      '-e': 'edits a file',
      '--shell': 'starts a shell',
      '--login': 'starts a login shell',
      '-D': ELSEWHERE,
      '--chdir': ELSEWHERE,
      '-R': 'changes the root',
    },
  },
  doas: {
    leading: true,
    dropsVariables: true,
    flags: 'nL',
    values: 'u',
    alone: ['-L'],
    refused: { '-s': 'starts a shell', '-C': 'reads a configuration' },
  },
  xargs: {
    leading: true,
    addsArguments: true,
    flags: '0rtpxo',
    values: 'adEILnPs',
    optional: 'eil',
    long: `null no-run-if-empty verbose interactive exit open-tty arg-file= delimiter= eof=? replace=? max-lines=? max-args= max-procs= max-chars= show-limits ${HELP}`,
    refused: { '--process-slot-var': 'sets a variable of what it runs' },
  },
  flock: {
    leading: true,
    skips: 1,
    script: true,
    flags: 'nesxuoFv',
    values: 'wE',
    long: `nonblock nb exclusive shared unlock close no-fork verbose timeout= wait= conflict-exit-code= ${HELP}`,
  },
  busybox: { leading: true, applets: true, long: 'list list-full help' },
  toybox: { leading: true, applets: true, long: 'help' },
  watch: { never: 'never ends: run the command once, or again in a later call' },
  chroot: { never: 'changes the root of what it runs' },
  unshare: { never: 'changes the namespaces of what it runs' },
  nsenter: { never: 'enters the namespaces of another process' },
  su: { never: 'runs a shell as somebody else' },
  runuser: { never: 'runs a shell as somebody else' },
};

export function wrapperGrammar(name: string): WrapperGrammar | undefined {
  return Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
}

/**
 * Returns true for a program whose arguments are another command line: it is checked as itself and by what it
 * runs.
 */
export function isWrapper(name: string): boolean {
  return Object.hasOwn(WRAPPERS, name);
}
