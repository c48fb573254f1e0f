import type { Failure } from '../result.js';
import { type CommandRefusal, type CommandWord, wordText } from './command-plan.js';
import { hazard } from './command-refusal.js';
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

/** Second words that turn a subcommand for reading into one that does more than its options show. */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  reflog: ['show', 'list', 'exists'],
  remote: ['show', 'get-url'],
  stash: ['list', 'show', 'push', 'pop', 'apply', 'drop', 'save'],
  worktree: ['list'],
};

export function checkGitWords(args: readonly CommandWord[]): Failure<CommandRefusal> | undefined {
  const line = readOptions('git', GLOBAL, args);
  if (!line.success) return line;
  const folder = line.value.options.find((option) => option.name === '-C' && isOutside(option.value ?? ''));
  if (folder !== undefined) return hazard(`git -C ${folder.value} leaves the folder`, 'name a folder below');
  const first = line.value.operands[0];
  if (first === undefined) return undefined;
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
  // Outside a repository, or with paths outside it, diff compares any two files.
  if (name === 'diff' && paths.some(isOutside))
    return hazard('git diff of files outside', 'name files below');
  if (
    /^(fetch|pull|push)$/.test(name) &&
    paths.some((path) => path.includes('::') || path.startsWith('ext:'))
  ) {
    return hazard(`git ${name} with a transport that runs programs`, 'name a remote');
  }
  return undefined;
}

function isOutside(path: string): boolean {
  return path.startsWith('/') || path.split('/').includes('..');
}
