import { type CommandPlan, wordText } from '../../domain/command/command-plan.js';
import { gitSubcommand } from '../../domain/command/programs/git-options.js';
import { enterDirectory } from '../../domain/command/working-directory.js';
import type { GitMove } from '../ports/command/command-runner.js';
import { keepsGitCompany } from './git-company.js';

/** The words after a subcommand. */
interface Words {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  readonly operands: readonly string[];
  /** After `--`. */
  readonly paths: readonly string[] | undefined;
}

/** Options that take the next word as a value. */
const VALUED: Readonly<Record<string, string>> = {
  checkout: '-b -B --orphan --conflict',
  switch: '-c -C --create --force-create --orphan --conflict',
  reset: '',
  merge: '-m -F -s -X --strategy --strategy-option --into-name',
  'cherry-pick': '-m --mainline -s -X --strategy --strategy-option',
  revert: '-m --mainline -s -X --strategy --strategy-option',
  rebase: '--onto -s -X --strategy --strategy-option',
  stash: '-m --message',
  restore: '-s --source',
};
/** An operation in progress is ended or continued: the command line does not show what it writes. */
const GOING_ON = /^--(abort|continue|quit|skip|edit-todo|show-current-patch)$/;
const ELSEWHERE = /^(-p|--patch|--pathspec-from-file.*|--root|--orphan|--all|--ours|--theirs)$/;

/** The target to which a command line with one git would move files, if the line shows it. */
export function gitMove({ programs, tree }: CommandPlan): GitMove | undefined {
  const sure = programs.filter(({ possible }) => possible !== true);
  const [call, ...others] = keepsGitCompany(tree) ? sure.filter(({ program }) => program === 'git') : sure;
  if (call?.program !== 'git' || call.via !== undefined || others.length > 0) return undefined;
  const subcommand = gitSubcommand(call.args);
  const valued = VALUED[subcommand?.name ?? ''];
  if (subcommand === undefined || valued === undefined || call.args.some(({ kind }) => kind === 'glob'))
    return undefined;
  const words = read(call.args.slice(subcommand.index + 1).map(wordText), valued.split(' '));
  if ([...words.flags].some((flag) => GOING_ON.test(flag) || ELSEWHERE.test(flag))) return undefined;
  const move = moveOf(subcommand.name, words);
  return move && { ...move, folder: subcommand.folders.reduce(enterDirectory, call.directory) };
}

function read(words: readonly string[], valued: readonly string[]): Words {
  const end = words.indexOf('--');
  const [flags, values, operands] = [new Set<string>(), new Map<string, string>(), [] as string[]];
  const before = end < 0 ? words : words.slice(0, end);
  for (let index = 0; index < before.length; index += 1) {
    const word = before[index] ?? '';
    if (word === '-' || !word.startsWith('-')) operands.push(word);
    else if (valued.includes(word)) {
      values.set(word, before[index + 1] ?? '');
      index += 1;
    } else {
      const [name = '', value] = word.split(/=(.*)/s, 2);
      if (value !== undefined && valued.includes(name)) values.set(name, value);
      flags.add(name);
    }
  }
  return { flags, values, operands, paths: end < 0 ? undefined : words.slice(end + 1) };
}

function moveOf(name: string, words: Words): Omit<GitMove, 'folder'> | undefined {
  const { flags, values, operands, paths } = words;
  const has = (...names: readonly string[]): boolean => names.some((flag) => flags.has(flag));
  const [first, ...more] = operands;
  const one = more.length === 0 && paths === undefined ? first : undefined;
  switch (name) {
    case 'checkout':
    case 'switch':
      if (paths !== undefined) return { kind: 'paths', target: first, paths };
      if (more.length > 0) return { kind: 'paths', target: first, paths: more };
      if (first === undefined) return undefined;
      return { kind: has('-f', '--force', '--discard-changes') ? 'reset' : 'switch', target: first };
    case 'reset':
      if (!has('--hard') || paths !== undefined || more.length > 0) return undefined;
      return { kind: 'reset', target: first ?? 'HEAD' };
    case 'merge':
      return one === undefined ? undefined : { kind: 'merge', target: one };
    case 'cherry-pick':
    case 'revert':
      if (values.has('-m') || values.has('--mainline')) return undefined;
      return one === undefined ? undefined : { kind: name === 'revert' ? 'revert' : 'pick', target: one };
    case 'rebase': {
      const onto = values.get('--onto') ?? one;
      return onto === undefined ? undefined : { kind: 'rebase', target: onto };
    }
    case 'stash':
      if (first === 'pop' || first === 'apply') return { kind: 'unstash', target: more[0] ?? 'stash@{0}' };
      return (first === undefined || first === 'push') && more.length === 0 && paths === undefined
        ? { kind: 'reset', target: 'HEAD' }
        : undefined;
    case 'restore':
      if (has('--staged', '-S') && !has('--worktree', '-W')) return undefined;
      return {
        kind: 'paths',
        target: values.get('--source') ?? values.get('-s') ?? (has('--staged', '-S') ? 'HEAD' : undefined),
        paths: [...operands, ...(paths ?? [])],
      };
    default:
      return undefined;
  }
}
