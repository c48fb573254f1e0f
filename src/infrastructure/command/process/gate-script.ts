import type { SandboxProgram } from '../../../application/ports/command/command-sandbox.js';
import { quote } from '../../../domain/command/command-text.js';
import { plainArgv } from './limits-script.js';
import { GATE_DESCRIPTOR } from './start-gate.js';

/** The file from which a shell at its gate learns what to do, once it is let go. */
export const SCRIPT_DESCRIPTOR = GATE_DESCRIPTOR + 1;

/** Says that everything is set up, waits, and becomes what the script says. It knows nothing of the command before. */
export const GATE_SHELL = [
  '/bin/sh',
  '-c',
  `echo >&${GATE_DESCRIPTOR}; read -r go <&${GATE_DESCRIPTOR} && . /proc/self/fd/${SCRIPT_DESCRIPTOR}`,
  'sh',
];

export interface GateOrder {
  readonly program: SandboxProgram;
  readonly cwd: string;
  /** Lines that bring the shell's environment to the command's. */
  readonly environment: readonly string[];
  /** Calls of `ulimit`. */
  readonly limits: string;
  /** Descriptors to close, beside those of the gate. */
  readonly used: readonly number[];
  /**
   * As the first process of a namespace the shell stays, since to a first process most signals mean nothing; when it
   * ends, the kernel ends all that is left.
   */
  readonly isFirst: boolean;
}

export function gateScript({ program, cwd, environment, limits, used, isFirst }: GateOrder): string {
  const argv = plainArgv(program).map(quote).join(' ');
  const open = [GATE_DESCRIPTOR, SCRIPT_DESCRIPTOR, ...used];
  return [
    // Before the variables, of which some tell `cd` where else to look.
    `cd -- ${quote(cwd)} || exit 1`,
    ...environment,
    limits,
    `exec ${open.map((descriptor) => `${descriptor}<&-`).join(' ')}`,
    isFirst ? `${argv}\nexit` : `exec ${argv}`,
    '',
  ].join('\n');
}

type Variables = Readonly<Record<string, string>>;

const NAME = /^[A-Za-z_]\w*$/;
/** Variables in which a shell sees more than text: it may refuse a value, or change its own ways. */
const OF_THE_SHELL =
  /^(?:_|IFS|OPT\w+|PS\d|MAIL\w*|LINENO|PPID|E?UID|GROUPS|SHELLOPTS|POSIXLY_CORRECT|BASH\w*|FUNC\w+|DIRSTACK|HIST\w+|RANDOM|SECONDS)$/;
/** Set by `cd`. */
const OF_CD = new Set(['PWD', 'OLDPWD']);

/** How a shell with one environment gets to another. undefined: not by words that every shell takes for the same. */
export function environmentChange(from: Variables, to: Variables): readonly string[] | undefined {
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].filter(
    (name) => from[name] !== to[name] && !OF_CD.has(name),
  );
  if (!names.every((name) => NAME.test(name) && !OF_THE_SHELL.test(name))) return undefined;
  return ['OLDPWD', ...names].map((name) => {
    const value = to[name];
    return value === undefined ? `unset ${name}` : `export ${name}=${quote(value)}`;
  });
}
