import { type CommandWord, type ProgramCall, wordText } from '../command-plan.js';
import { programName } from '../wrapper.js';
import { findPlaces } from './find-expression.js';
import { type OptionLine, readOptions } from './option-grammar.js';
import { knownProgram } from './program-options.js';
import type { ProgramSpec } from './program-spec.js';
import { tarArchives } from './tar-listing.js';

/** Files that a program is told to read or write. A glob stands for all its matches. */
export interface ProgramPaths {
  readonly read: readonly CommandWord[];
  readonly write: readonly CommandWord[];
}

const HERE: CommandWord = { kind: 'literal', text: '.' };

/**
 * The operands of a known program, by use, relative to the call's directory; undefined if the program or its
 * options are not known.
 */
export function pathsOf(call: ProgramCall): ProgramPaths | undefined {
  const name = programName(call.program);
  const spec = knownProgram(name);
  if (spec === undefined) return undefined;
  if (name === 'find') return reading(orHere(findPlaces(call.args)));
  if (name === 'git') return reading(gitFolders(call.args));
  if (name === 'tar') return reading(tarArchives(call.args).map((text) => ({ kind: 'literal', text })));
  if (spec.checkWords !== undefined) {
    const words = call.args.filter((word) => !wordText(word).startsWith('-'));
    return reading(spec.operands === 'none' ? [] : words);
  }
  const line = readOptions(name, spec, call.args);
  if (!line.success) return undefined;
  return byRole(spec, line.value);
}

function byRole(spec: ProgramSpec, line: OptionLine): ProgramPaths {
  const words = line.operands.map((operand) => operand.word).filter((word) => wordText(word) !== '-');
  const hasPattern = line.options.some((option) => spec.patternOptions?.includes(option.name));
  const files = hasPattern ? words : words.slice(1);
  switch (spec.operands) {
    case 'none':
      return reading([]);
    case 'read':
      return reading(words);
    case 'tree':
      return reading(orHere(words));
    case 'pattern':
      return reading(isRecursive(line) ? orHere(files) : files);
    case 'pattern-tree':
      return reading(orHere(files));
    case 'write':
      return { read: [], write: words };
    case 'copy':
      // A last word that is a pattern counts as both read and written.
      return { read: words.at(-1)?.kind === 'glob' ? words : words.slice(0, -1), write: words.slice(-1) };
    case 'pair':
      return { read: words.slice(0, 1), write: words.slice(1) };
  }
}

function reading(read: readonly CommandWord[]): ProgramPaths {
  return { read, write: [] };
}

function orHere(words: readonly CommandWord[]): readonly CommandWord[] {
  return words.length === 0 ? [HERE] : words;
}

function isRecursive(line: OptionLine): boolean {
  return line.options.some((option) =>
    ['-r', '-R', '--recursive', '--dereference-recursive'].includes(option.name),
  );
}

/** The directories of `git -C`. The content of a repository is read from its objects, not by path. */
function gitFolders(args: readonly CommandWord[]): readonly CommandWord[] {
  return args.filter((_, index) => {
    const before = args[index - 1];
    return before !== undefined && wordText(before) === '-C' && args.slice(0, index).every(isGlobal);
  });
}

function isGlobal(word: CommandWord, index: number, words: readonly CommandWord[]): boolean {
  const before = words[index - 1];
  return wordText(word).startsWith('-') || (before !== undefined && wordText(before) === '-C');
}
