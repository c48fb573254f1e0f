import { type Failure, Result } from '../../result.js';
import { type CommandRefusal, type CommandWord, type ProgramCall, wordText } from '../command-plan.js';
import { hazard } from '../command-refusal.js';
import { programName } from '../wrapper.js';
import { isWrapper } from '../wrapper-grammar.js';
import { FILE_PROGRAMS } from './file-programs.js';
import { checkGitWords } from './git-options.js';
import { readOptions } from './option-grammar.js';
import { PLAIN_PROGRAMS } from './plain-programs.js';
import type { ProgramSpec } from './program-spec.js';
import { checkRiskyOptions } from './risky-options.js';
import { SEARCH_PROGRAMS } from './search-programs.js';
import { TEXT_PROGRAMS } from './text-programs.js';

const PROGRAMS: ReadonlyMap<string, ProgramSpec> = new Map(
  Object.entries({
    ...FILE_PROGRAMS,
    ...TEXT_PROGRAMS,
    ...SEARCH_PROGRAMS,
    ...PLAIN_PROGRAMS,
    git: { operands: 'none', checkWords: checkGitWords } satisfies ProgramSpec,
  }),
);

/** What is known about a program's arguments: nothing, or that they are harmless. */
export interface OptionVerdict {
  readonly known: boolean;
}

/** A basename, as `programName` gives it. */
export function knownProgram(name: string): ProgramSpec | undefined {
  return PROGRAMS.get(name);
}

/** For policies that allow programs by name. Fails if an argument makes the program run another one. */
export function checkProgramOptions(
  name: string,
  args: readonly CommandWord[],
): Result<OptionVerdict, CommandRefusal> {
  const spec = PROGRAMS.get(name);
  if (spec === undefined) return checkRiskyOptions(name, args) ?? Result.ok({ known: false });
  const refused = spec.checkWords === undefined ? checkLine(name, spec, args) : spec.checkWords(args);
  return refused ?? Result.ok({ known: true });
}

/** The same for a call of a plan, which may receive more arguments than are written. */
export function checkCall(call: ProgramCall): Result<OptionVerdict, CommandRefusal> {
  const name = programName(call.program);
  const spec = PROGRAMS.get(name);
  if (name === 'git' && call.bareEnvironment) {
    return hazard(
      'git without our variables would run what a repository names',
      `leave ${call.via ?? 'the wrapper'} out before git`,
    );
  }
  // The arguments of a wrapper are passed to the program it runs, and checked there.
  if (call.unseenArguments && spec !== undefined && !isWrapper(name) && !takesUnseenArguments(spec, call)) {
    return hazard(
      `${name} is given arguments by ${call.via ?? 'its wrapper'} that may be options or files to write`,
      `name them in the command itself; where ${name} only reads, -- after its options is enough`,
    );
  }
  return checkProgramOptions(name, call.args);
}

/** After -- there are only operands; then it matters that operands are files to read and nothing else. */
function takesUnseenArguments(spec: ProgramSpec, call: ProgramCall): boolean {
  if (spec.inert) return true;
  const reads = spec.checkWords === undefined && (spec.operands === 'read' || spec.operands === 'tree');
  const end = call.args.findIndex((word) => wordText(word) === '--');
  const before = call.args.slice(0, end + 1).map(wordText);
  return reads && end >= 0 && !call.placeholders?.some((text) => before.some((word) => word.includes(text)));
}

function checkLine(
  name: string,
  spec: ProgramSpec,
  args: readonly CommandWord[],
): Failure<CommandRefusal> | undefined {
  const line = readOptions(name, spec, args);
  if (!line.success) return line;
  // A pattern may expand to two words.
  const { operands } = line.value;
  if (
    spec.operands === 'pair' &&
    (operands.length > 1 || operands.some(({ word }) => word.kind === 'glob'))
  ) {
    return hazard(`${name} writes its second file`, 'name one file; the output comes back anyway');
  }
  return spec.checkLine?.(line.value);
}
