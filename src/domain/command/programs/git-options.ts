import type { Failure } from '../../result.js';
import { type CommandRefusal, type CommandWord, wordText } from '../command-plan.js';
import { hazard } from '../command-refusal.js';
import { GIT_SUBCOMMANDS } from './git-subcommands.js';
import { type OptionGrammar, readOptions } from './option-grammar.js';

const PLACE = 'uses another repository, whose configuration runs programs';
const GLOBAL: OptionGrammar = {
  leading: true,
  flags: 'Phv',
  values: 'C',
  long: 'no-pager no-optional-locks no-replace-objects literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs no-lazy-fetch version help',
  refused: {
    '-c': 'sets configuration, which runs programs',
    '--config-env': 'sets configuration, which runs programs',
    '--exec-path': 'chooses the programs git runs',
    '--git-dir': PLACE,
    '--work-tree': PLACE,
    '--namespace': PLACE,
    '--bare': PLACE,
    '-p': 'starts a pager',
    '--paginate': 'starts a pager',
    '--attr-source': PLACE,
  },
};

/** Second words that make a read-only subcommand do more than its options show. */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  reflog: ['show', 'list', 'exists'],
  remote: ['show', 'get-url'],
  stash: ['list', 'show', 'push', 'pop', 'apply', 'drop', 'save'],
  worktree: ['list'],
};

/**
 * The index of the subcommand among git's words, and the directory it works in; undefined if there is none.
 */
export function gitSubcommand(
  args: readonly CommandWord[],
): { readonly name: string; readonly index: number; readonly folders: readonly string[] } | undefined {
  const line = readOptions('git', GLOBAL, args);
  const first = line.success ? line.value.operands[0] : undefined;
  if (!line.success || first === undefined) return undefined;
  const folders = line.value.options.filter((option) => option.name === '-C').map(({ value }) => value ?? '');
  return { name: wordText(first.word), index: first.index, folders };
}

export function checkGitWords(args: readonly CommandWord[]): Failure<CommandRefusal> | undefined {
  const line = readOptions('git', GLOBAL, args);
  if (!line.success) return line;
  const folder = line.value.options.find((option) => option.name === '-C' && isOutside(option.value ?? ''));
  if (folder !== undefined) return hazard(`git -C ${folder.value} leaves the folder`, 'name a folder below');
  const first = line.value.operands[0];
  if (first === undefined) return undefined;
  if (line.value.options.some(({ name }) => name === '--help' || name === '-h'))
    return hazard('git --help starts a viewer', 'write git help -a');
  if (first.word.kind === 'glob') return hazard('A pattern in the place of a git subcommand', 'name it');
  const name = first.word.text;
  const grammar = Object.hasOwn(GIT_SUBCOMMANDS, name) ? GIT_SUBCOMMANDS[name] : undefined;
  if (grammar === undefined) {
    return hazard(
      `git ${name} is not known to be harmless: it may be an alias or run programs`,
      'use another one',
    );
  }
  return checkSubcommand(name, grammar, args.slice(first.index + 1));
}

function checkSubcommand(
  name: string,
  grammar: OptionGrammar,
  args: readonly CommandWord[],
): Failure<CommandRefusal> | undefined {
  const line = readOptions(`git ${name}`, grammar, args);
  if (!line.success) return line;
  const action = line.value.operands[0]?.word;
  const allowed = ACTIONS[name];
  if (action !== undefined && allowed !== undefined && !allowed.includes(wordText(action))) {
    return hazard(`git ${name} ${wordText(action)} is not known to be harmless`, `use ${allowed.join(', ')}`);
  }
  const paths = line.value.operands.map((operand) => wordText(operand.word));
  if (/^(fetch|pull|push)$/.test(name)) return checkAddress(name, paths[0]);
  // Outside a repository, or with paths outside it, diff compares any two files.
  if (/^(diff|init)$/.test(name) && paths.some(isOutside))
    return hazard(`git ${name} of files outside`, 'name files below');
  if (name === 'help' && paths.length > 0) return hazard('git help starts a viewer', 'write git help -a');
  return undefined;
}

/**
 * Another repository of this machine has hooks and settings that would run; a transport may be any program.
 */
function checkAddress(name: string, address: string | undefined): Failure<CommandRefusal> | undefined {
  if (address === undefined || /^(https?|ssh|git):\/\/[^-]/i.test(address)) return undefined;
  if (/^[\w.-]+@[\w.-]+:[^:]/.test(address) || /^\w[\w.-]*$/.test(address)) return undefined;
  if (/^\w[\w./-]*$/.test(address) && !isOutside(address)) return undefined;
  return hazard(
    `git ${name} with a repository of this machine, or a transport that may run programs`,
    'name a remote, or an address with https or ssh',
  );
}

function isOutside(path: string): boolean {
  return path.startsWith('/') || path.split('/').includes('..');
}
