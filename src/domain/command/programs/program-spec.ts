import type { Failure } from '../../result.js';
import type { CommandRefusal, CommandWord } from '../command-plan.js';
import type { OptionGrammar, OptionLine } from './option-grammar.js';

/**
 * What a program does with the words that are no options. `read`: files; `tree`: files or, without any, the
 * folder itself; `write`: files it makes or changes; `copy`: reads all but the last, which it writes;
 * `pattern`: the first is no file unless an option already gave it; `pair`: reads the first and writes the
 * second; `none`: no files at all.
 */
export type OperandRole = 'none' | 'read' | 'tree' | 'write' | 'copy' | 'pattern' | 'pattern-tree' | 'pair';

/** What is known about a program: the options that are harmless and what its operands are. */
export interface ProgramSpec extends OptionGrammar {
  readonly operands: OperandRole;
  /** Options that give the pattern, so that every operand is a file. */
  readonly patternOptions?: readonly string[];
  /** No option of it writes a file or starts a program, so it may be given arguments nobody sees. */
  readonly inert?: true;
  /** Replaces the reading of options where the program has a grammar of its own. */
  readonly checkWords?: (args: readonly CommandWord[]) => Failure<CommandRefusal> | undefined;
  /** What options alone cannot tell, such as a script among the operands. */
  readonly checkLine?: (line: OptionLine) => Failure<CommandRefusal> | undefined;
}

export type ProgramTable = Readonly<Record<string, ProgramSpec>>;

export const HELP = 'help version';
export const WRITES = 'writes a file';
export const RUNS = 'runs another program';
export const READS_LIST = 'reads names or patterns from a file';
