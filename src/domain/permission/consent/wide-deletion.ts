import { type CommandWord, wordText } from '../../command/command-plan.js';
import { findPlaces } from '../../command/programs/find-expression.js';
import { removedOperands } from '../../command/programs/removed-operands.js';
import { programName } from '../../command/wrapper.js';
import { compileSegment } from '../path/glob-segment.js';
import { isInside, normalisePath } from '../path/normal-path.js';

/** A program with its arguments, and the absolute directory it would run in. */
export interface DeletingCall {
  readonly program: string;
  readonly args: readonly CommandWord[];
  readonly directory: string;
}

/**
 * Words of find that exclude nothing: if there are no others, everything below the starting point is deleted.
 */
const FIND_ALL = new Set([
  '-delete',
  '-depth',
  '-d',
  '-print',
  '-print0',
  '-mount',
  '-xdev',
  '-noleaf',
  '-warn',
]);
const FIND_ALL_VALUED = new Set(['-type', '-mindepth']);
const FIND_RUN = new Set(['-exec', '-execdir', '-ok', '-okdir']);

/**
 * The paths a call would delete that are never deleted casually: the whole workspace, or a repository. Only
 * what the words themselves show; scripts have other ways. `workspace` may have several names.
 */
export function wideDeletions(call: DeletingCall, workspace: readonly string[]): readonly string[] {
  switch (programName(call.program)) {
    case 'rm':
      return removedOperands(call.args).flatMap((word) => widened(word, call.directory, workspace));
    case 'find':
      return deletesAllItFinds(call.args)
        ? orHere(findPlaces(call.args)).flatMap((word) => widened(word, call.directory, workspace))
        : [];
    case 'git':
      return cleanedBy(call, workspace);
    default:
      return INTERPRETERS.test(programName(call.program)) ? deletedByCode(call, workspace) : [];
  }
}

const INTERPRETERS = /^(python[\d.]*|pypy3?|node|nodejs|bun|deno|ruby|perl|php)$/;
const SHELL_RM = /\brm\s+((?:-[\w-]+\s+)+)([^\s'"`;&|)\\]+)/g;
const DELETING_FUNCTION =
  /\b(?:rmtree|rm_rf|rm_r|rmSync|rmdirSync|removeSync|remove_tree|remove_dir_all|rimraf(?:\.sync)?|remove_entry_secure)\s*\(?\s*(['"`])([^'"`]+)\1/g;
const MAX_CODE = 16_384;

/** Code on the command line that deletes: `shutil.rmtree('.')`, `execSync('rm -rf /')`. */
function deletedByCode({ args, directory }: DeletingCall, workspace: readonly string[]): readonly string[] {
  const code = args.map(wordText).join('\n').slice(0, MAX_CODE);
  const byShell = [...code.matchAll(SHELL_RM)].filter(([, options = '']) =>
    /(^|\s)-[a-zA-Z]*[rR]|--r/.test(options),
  );
  const named = [...byShell, ...code.matchAll(DELETING_FUNCTION)].map(([, , path = '']) => path);
  return named.flatMap((path) => {
    const word: CommandWord = /[*?]/.test(path)
      ? { kind: 'glob', pattern: path }
      : { kind: 'literal', text: path };
    return widened(word, directory, workspace);
  });
}

function deletesAllItFinds(args: readonly CommandWord[]): boolean {
  const words = args.map(wordText);
  const begin = words.findIndex((word) => /^[-(),!]/.test(word) && !/^-([HLP]|O[0-9])$/.test(word));
  let deletes = false;
  for (let index = begin; index >= 0 && index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (FIND_RUN.has(word)) {
      if (programName(words[index + 1] ?? '') !== 'rm') return false;
      deletes = true;
      while (index + 1 < words.length && !/^[;+]$/.test(words[index] ?? '')) index += 1;
    } else if (FIND_ALL_VALUED.has(word)) index += 1;
    else if (!FIND_ALL.has(word)) return false;
    deletes ||= word === '-delete';
  }
  return deletes;
}

/** `git clean` that also removes ignored files, without a path that would restrict it. */
function cleanedBy({ args, directory }: DeletingCall, workspace: readonly string[]): readonly string[] {
  const words = args.map(wordText);
  const clean = words.indexOf('clean');
  if (clean < 0) return [];
  const folder = words[clean - 2] === '-C' ? normalisePath(words[clean - 1] ?? '.', directory) : directory;
  // What -e names is kept, which makes no difference here.
  const options = words.slice(clean + 1).filter((_, index, all) => all[index - 1] !== '-e');
  const has = (letters: string): boolean =>
    options.some((word) => new RegExp(`^-[a-zA-Z]*[${letters}]`).test(word));
  const forced = (has('f') || options.includes('--force')) && !has('n') && !options.includes('--dry-run');
  const narrowed = options.some((word) => !word.startsWith('-') && word !== '.');
  if (!forced || narrowed || !has('xX')) return [];
  return workspaceIn(folder, workspace);
}

/** The path of a word, if it is a wide one. */
function widened(word: CommandWord, directory: string, workspace: readonly string[]): readonly string[] {
  // What a shell computes later is not known here, but a repository may be named after it.
  if (word.kind === 'glob' && word.unseen)
    return /\/\.git\/*$/.test(word.pattern) ? [`${directory}/.git`] : [];
  return word.kind === 'glob'
    ? widePattern(word.pattern, directory, workspace)
    : widePath(normalisePath(word.text, directory), workspace);
}

function widePath(path: string, workspace: readonly string[]): readonly string[] {
  return isRepository(path) ? [path] : workspaceIn(path, workspace);
}

/** Of a directory above it, the workspace is the part that a command could delete. */
function workspaceIn(folder: string, workspace: readonly string[]): readonly string[] {
  return workspace.some((root) => isInside(root, folder)) ? workspace.slice(0, 1) : [];
}

/** Returns true for a `.git`, or a part that git cannot do without. */
function isRepository(path: string): boolean {
  return /\/\.git(?:\/(?:objects|refs))?$/.test(path);
}

/** `*` in the top directory means everything in it; `.*` and `.g*` mean its repository. */
function widePattern(pattern: string, directory: string, workspace: readonly string[]): readonly string[] {
  const slash = pattern.replace(/\/+$/, '').lastIndexOf('/');
  const folder = normalisePath(slash < 0 ? '.' : pattern.slice(0, slash + 1), directory);
  const [all] = workspaceIn(folder, workspace);
  if (all === undefined) return [];
  const last = pattern.replace(/\/+$/, '').slice(slash + 1);
  if (/^[*?]*\*[*?]*$/.test(last)) return [all];
  return last.startsWith('.') && compileSegment(last).matches('.git') ? [`${folder}/.git`] : [];
}

function orHere(words: readonly CommandWord[]): readonly CommandWord[] {
  return words.length === 0 ? [{ kind: 'literal', text: '.' }] : words;
}
