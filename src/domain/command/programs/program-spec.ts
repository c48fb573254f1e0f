import type { Failure } from '../../result.js';
import type { CommandRefusal, CommandWord } from '../command-plan.js';
import type { OptionGrammar, OptionLine } from './option-grammar.js';

/**
 * How a program treats words that are not options. `read`: files; `tree`: files or, without any, the
 * directory itself; `write`: files it creates or changes; `copy`: reads all but the last, which it writes;
 * `pattern`: the first is not a file unless an option already supplied the pattern; `pair`: reads the first
 * and writes the second; `none`: no files at all.
 */
export type OperandRole = 'none' | 'read' | 'tree' | 'write' | 'copy' | 'pattern' | 'pattern-tree' | 'pair';

/** Facts about a program: its harmless options and the meaning of its operands. */
export interface ProgramSpec extends OptionGrammar {
  readonly operands: OperandRole;
  /** Options that supply the pattern, so that every operand is a file. */
  readonly patternOptions?: readonly string[];
  /** True if no option writes a file or starts a program, so that it may receive unknown arguments. */
  readonly inert?: true;
  /** Replaces the option parser for programs with a grammar of their own. */
  readonly checkWords?: (args: readonly CommandWord[]) => Failure<CommandRefusal> | undefined;
  /** Checks what options alone cannot show, such as a script among the operands. */
  readonly checkLine?: (line: OptionLine) => Failure<CommandRefusal> | undefined;
}

export type ProgramTable = Readonly<Record<string, ProgramSpec>>;

export const HELP = 'help version';
export const WRITES = 'writes a file';
export const RUNS = 'runs another program';
export const READS_LIST = 'reads names or patterns from a file';
