import type { Failure } from '../../result.js';
import type { CommandRefusal, CommandWord } from '../command-plan.js';
import { hazard } from '../command-refusal.js';
import { checkEnvironment } from '../harmless-environment.js';
import { wrapperGrammar } from '../wrapper-grammar.js';
import { readOptions } from './option-grammar.js';
import { HELP, type ProgramTable, READS_LIST, RUNS } from './program-spec.js';
import { checkTarWords } from './tar-listing.js';

const LEAVES = 'leaves a process behind: a call ends with everything it started';
const ANYTHING = { operands: 'none', inert: true, checkWords: () => undefined } as const;

/** Programs that print facts or test conditions, and those that need a rule of their own. */
export const PLAIN_PROGRAMS: ProgramTable = {
  echo: ANYTHING,
  printf: ANYTHING,
  true: ANYTHING,
  false: ANYTHING,
  test: { ...ANYTHING, operands: 'read' },
  '[': { ...ANYTHING, operands: 'read' },
  expr: ANYTHING,
  seq: {
    operands: 'none',
    inert: true,
    flags: 'w',
    values: 'fs',
    numeric: true,
    long: `format= separator= equal-width ${HELP}`,
  },
  sleep: { operands: 'none', inert: true, long: HELP },
  date: {
    operands: 'none',
    flags: 'uR',
    values: 'd',
    optional: 'I',
    long: `date= debug iso-8601=? rfc-email rfc-3339= universal utc resolution ${HELP}`,
    refused: {
      '-s': 'sets the clock',
      '--set': 'sets the clock',
      '-f': 'reads a file',
      '--file': 'reads a file',
      '-r': 'looks at another file',
      '--reference': 'looks at another file',
    },
  },
  uname: {
    operands: 'none',
    inert: true,
    flags: 'asnrvmpio',
    long: `all kernel-name nodename kernel-release kernel-version machine processor hardware-platform operating-system ${HELP}`,
  },
  whoami: { operands: 'none', inert: true, long: HELP },
  id: {
    operands: 'none',
    inert: true,
    flags: 'agGnruzZ',
    long: `group groups name real user zero context ${HELP}`,
  },
  hostname: {
    operands: 'none',
    flags: 'sfidI',
    long: 'short fqdn long ip-address domain all-ip-addresses help version',
    refused: { '-F': 'sets the name', '-b': 'sets the name' },
  },
  nproc: { operands: 'none', inert: true, long: `all ignore= ${HELP}` },
  arch: { operands: 'none', inert: true, long: HELP },
  uptime: { operands: 'none', inert: true, flags: 'ps', long: 'pretty since help version' },
  free: {
    operands: 'none',
    inert: true,
    flags: 'bkmghltw',
    values: 'c',
    long: 'bytes kibi mebi gibi human lohi total wide help version',
  },
  ps: { operands: 'none', inert: true, checkWords: () => undefined },
  env: { operands: 'none', checkWords: checkEnvironment },
  nice: { operands: 'none', checkWords: () => undefined },
  nohup: { operands: 'none', checkWords: () => undefined },
  timeout: { operands: 'none', checkWords: () => undefined },
  stdbuf: { operands: 'none', checkWords: () => undefined },
  setsid: {
    operands: 'none',
    leading: true,
    flags: 'cw',
    long: `ctty wait ${HELP}`,
    refused: { '-f': LEAVES, '--fork': LEAVES },
  },
  flock: { operands: 'none', checkWords: checkLockFile },
  xargs: {
    operands: 'none',
    ...wrapperGrammar('xargs'),
    refused: { ...wrapperGrammar('xargs')?.refused, '-a': READS_LIST, '--arg-file': READS_LIST },
  },
  tar: { operands: 'read', checkWords: checkTarWords },
  man: {
    operands: 'none',
    flags: 'fkwW',
    long: 'whatis apropos where path',
    refused: {
      '-P': RUNS,
      '--pager': RUNS,
      '-H': RUNS,
      '--html': RUNS,
      '-C': 'reads a configuration',
      '-l': 'reads a file',
      '-p': RUNS,
      '--preprocessor': RUNS,
    },
  },
  less: { operands: 'read', checkWords: () => pager('less') },
  more: { operands: 'read', checkWords: () => pager('more') },
};

/** flock creates the file if it does not exist. */
function checkLockFile(args: readonly CommandWord[]): Failure<CommandRefusal> | undefined {
  const grammar = wrapperGrammar('flock');
  const line = grammar === undefined ? undefined : readOptions('flock', grammar, args);
  if (line === undefined || !line.success) return line;
  const file = line.value.operands[0]?.word;
  if (file === undefined || (file.kind === 'literal' && !/^\/|(^|\/)\.\.(\/|$)/.test(file.text)))
    return undefined;
  return hazard('flock makes its lock file, and this one lies elsewhere', 'name one below the folder');
}

function pager(program: string): Failure<CommandRefusal> {
  return hazard(`${program} starts other programs and writes files on a key`, 'use cat, head or tail');
}
