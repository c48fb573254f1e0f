import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxProgram } from '../../../application/ports/command/command-sandbox.js';
import { quote } from '../../../domain/command/command-text.js';
import { plainArgv } from '../process/limits-script.js';
import { BARRIER_DESCRIPTOR } from '../process/process-launch.js';

/** The file from which a shell at its gate learns what to do, once it is let go. */
export const SCRIPT_DESCRIPTOR = BARRIER_DESCRIPTOR + 1;

/** Says that everything is set up, waits, and becomes what the script says. It knows nothing of the command before. */
export const BARRIER_SHELL = [
  '/bin/sh',
  '-c',
  `echo >&${BARRIER_DESCRIPTOR}; read -r go <&${BARRIER_DESCRIPTOR} && . /proc/self/fd/${SCRIPT_DESCRIPTOR}`,
  'sh',
];

export interface StartInstructions {
  readonly program: SandboxProgram;
  readonly cwd: string;
  /** The command's. The shell at its gate has none of it: some variables choose what code runs, and nothing may before. */
  readonly environment: Readonly<Record<string, string>>;
  /** Calls of `ulimit`. */
  readonly limits: string;
  /** Descriptors to close, beside those of the gate. */
  readonly used: readonly number[];
  /**
   * As the first process of a namespace the shell stays, since to a first process most signals mean nothing; when it
   * ends, the kernel ends all that is left.
   */
  readonly isFirst: boolean;
  /** Standard error goes where standard output goes. */
  readonly joinStreams: boolean;
}

export function barrierScript({
  program,
  cwd,
  environment,
  limits,
  used,
  isFirst,
  joinStreams,
}: StartInstructions): string {
  const { lines, before } = environmentScript(environment);
  const argv = [...before, ...plainArgv(program)].map(quote).join(' ');
  const open = [BARRIER_DESCRIPTOR, SCRIPT_DESCRIPTOR, ...used];
  return [
    // Before the variables, of which some tell `cd` where else to look.
    `cd -- ${quote(cwd)} || exit 1`,
    ...lines,
    limits,
    `exec ${[...(joinStreams ? ['2>&1'] : []), ...open.map((descriptor) => `${descriptor}<&-`)].join(' ')}`,
    isFirst ? `${argv}\nexit` : `exec ${argv}`,
    '',
  ].join('\n');
}

const NAME = /^[A-Za-z_]\w*$/;
/** Variables that some shell keeps for itself: it refuses a value, ignores it, or obeys it at once. */
const OF_THE_SHELL =
  /^(?:_|OPT\w+|LINENO|PPID|E?UID|GROUPS|SHELLOPTS|BASH(?!_ENV$)\w*|FUNC\w+|DIRSTACK|S?RANDOM|SECONDS|EPOCH\w+)$/;
/** Set by `cd`. */
const OF_CD = new Set(['PWD', 'OLDPWD']);

/**
 * Lines by which the shell gets these variables, and the program before the command that gives it those which a shell
 * keeps for itself; for a moment these few stand in its command line.
 */
function environmentScript(variables: StartInstructions['environment']): {
  readonly lines: readonly string[];
  readonly before: readonly string[];
} {
  const entries = Object.entries(variables).filter(([name]) => !OF_CD.has(name));
  const isPlain = ([name]: readonly [string, string]): boolean => NAME.test(name) && !OF_THE_SHELL.test(name);
  const others = entries.filter((entry) => !isPlain(entry)).map(([name, value]) => `${name}=${value}`);
  return {
    lines: [
      'unset OLDPWD',
      ...entries.filter(isPlain).map(([name, value]) => `export ${name}=${quote(value)}`),
    ],
    before: others.length === 0 ? [] : ['/usr/bin/env', ...others],
  };
}

/** A file without a name that is written by the server alone, and read by a child through a descriptor. */
export interface NamelessFile {
  /** For the child, which cannot write through it. */
  readonly readable: number;
  write(text: string): void;
  close(): void;
}

let files = 0;

export function openNamelessFile(stateFolder: string): NamelessFile {
  files += 1;
  const path = join(stateFolder, `file-${process.pid}-${files}`);
  // It can only be reached through a descriptor, by whoever the command is.
  const written = openSync(path, 'wx', 0o444);
  try {
    const readable = openSync(path, 'r');
    return {
      readable,
      write: (text) => writeWhole(written, text),
      close: () => {
        closeSync(readable);
        closeSync(written);
      },
    };
  } catch (error) {
    closeSync(written);
    throw error;
  } finally {
    unlinkSync(path);
  }
}

function writeWhole(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; ) from += writeSync(descriptor, bytes, from);
}
