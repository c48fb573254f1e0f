import {
  type CommandNode,
  type CommandPlan,
  type CommandWord,
  type ProgramCall,
  type TreeWord,
  wordText,
} from '../../domain/command/command-plan.js';
import { gitSubcommand } from '../../domain/command/programs/git-options.js';
import { HARMLESS_GIT_VARIABLES, HARMLESS_SETTINGS } from '../../domain/command/programs/git-settings.js';
import { programName } from '../../domain/command/wrapper.js';
import { keepsGitCompany } from './git-company.js';

/** Nobody can answer a prompt, leave a pager or close an editor. */
const UNATTENDED: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
};

const BOTH = ['--no-ext-diff', '--no-textconv'];
/** Subcommands that show differences, for which repositories may configure a program. */
const PLAIN_DRAWING: Readonly<Record<string, readonly string[] | undefined>> = {
  diff: BOTH,
  log: BOTH,
  show: BOTH,
  whatchanged: BOTH,
  'diff-tree': BOTH,
  'diff-index': BOTH,
  'diff-files': BOTH,
  blame: ['--no-textconv'],
  annotate: ['--no-textconv'],
};

export function runsGit(plan: CommandPlan): boolean {
  // Unknown for a script, and the variables do no harm.
  if (plan.text !== undefined) return true;
  return plan.programs.some((call) => !call.possible && programName(call.program) === 'git');
}

/** Returns true if the command line may run git; otherwise nothing more about git is checked. */
export function namesGit({ programs }: CommandPlan): boolean {
  return programs.some(({ program }) => programName(program) === 'git');
}

/** Subcommands that remove or move what git created, and run nothing else. */
const TIDYING = /^(worktree (remove|move|prune|repair)|submodule deinit)$/;

/**
 * Returns true for git alone that only removes or moves worktrees: it may change what is read-only for other
 * programs.
 */
export function tidiesWorktrees({ programs, ...plan }: CommandPlan): boolean {
  const [call, ...others] = programs;
  if (mayDoMore(plan) || call?.program !== 'git' || others.length > 0) return false;
  const words = call.args.map(wordText);
  const [group, action] = words[0] === '-C' ? words.slice(2) : words;
  return TIDYING.test(`${group} ${action}`);
}

/**
 * A script may do more than it shows, variables can make git run other programs, and the background outlives
 * the check.
 */
export function mayDoMore({ text, variables, background }: Omit<CommandPlan, 'programs' | 'files'>): boolean {
  return text !== undefined || variables !== undefined || background === true;
}

/** Subcommands that restore files to what commits contain. */
const BRINGING = new Set(
  'checkout switch restore merge rebase cherry-pick revert stash pull reset bisect worktree submodule'.split(
    ' ',
  ),
);
/** Subcommands allowed in the same command line: they run only git and change no file. */
const BESIDE = new Set(
  'status add commit diff log show branch tag fetch rev-parse symbolic-ref ls-files ls-tree rev-list merge-base describe reflog blame shortlog'.split(
    ' ',
  ),
);
/** Options that would run other programs while protected files are writable. */
const RUNNING = /^(-[A-Za-z]*[xi].*|--ex.*|--int.*|--upl.*|run|foreach)$/s;

/** Returns true for git, with programs that end with it, that restores files to what commits contain. */
export function bringsFiles({ programs, ...plan }: CommandPlan): boolean {
  if (mayDoMore(plan) || !keepsGitCompany(plan.tree)) return false;
  // Words that git might take as a program are git's own here; real ones are found below.
  const sure = programs.filter(({ possible }) => possible !== true);
  const gits = sure.filter(isGitOrUnknown);
  const names = gits.map(({ program, args, via, unseenArguments }) => {
    const isPlain = program === 'git' && via === undefined && unseenArguments === undefined;
    return isPlain && !args.map(wordText).some((word) => RUNNING.test(word))
      ? gitSubcommand(args)?.name
      : undefined;
  });
  const isKnown = (name: string | undefined): boolean =>
    name !== undefined && (BRINGING.has(name) || BESIDE.has(name));
  return names.every(isKnown) && names.some((name) => BRINGING.has(name ?? ''));
}

/** What the shape of the line does not vouch for. */
function isGitOrUnknown({ program, via, unseenArguments }: ProgramCall): boolean {
  return program === 'git' || via !== undefined || unseenArguments !== undefined;
}

/** Variables for every git of the command. `own` are settings of the repositories that must not apply. */
export function gitEnvironment(
  own: readonly (readonly [string, string])[] | undefined,
): Readonly<Record<string, string>> {
  if (own === undefined) return UNATTENDED;
  const entries = [...HARMLESS_SETTINGS, ...own];
  const environment: Record<string, string> = {
    ...UNATTENDED,
    ...HARMLESS_GIT_VARIABLES,
    GIT_CONFIG_COUNT: String(entries.length),
  };
  for (const [index, [key, value]] of entries.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return environment;
}

/** The environment with these settings added to those it already passes to git. */
export function withGitSettings(
  environment: Readonly<Record<string, string>>,
  settings: readonly (readonly [string, string])[] = [],
): Readonly<Record<string, string>> {
  const first = Number(environment.GIT_CONFIG_COUNT ?? 0);
  // With an invalid count git refuses everything, as it would without us.
  if (settings.length === 0 || !Number.isInteger(first)) return environment;
  const entries = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key],
    [`GIT_CONFIG_VALUE_${first + index}`, value],
  ]);
  return {
    ...environment,
    ...Object.fromEntries(entries),
    GIT_CONFIG_COUNT: String(first + settings.length),
  };
}

/** The same tree, with every `git diff` and similar told not to use external programs. */
export function withPlainDrawing(node: CommandNode): CommandNode {
  switch (node.kind) {
    case 'cd':
    case 'builtin':
      return node;
    case 'background':
      return { ...node, body: withPlainDrawing(node.body) };
    case 'command':
      return { ...node, words: plainWords(node.words) };
    case 'group':
      return { ...node, body: withPlainDrawing(node.body) };
    case 'pipeline':
      return { ...node, parts: node.parts.map(withPlainDrawing) };
    case 'list':
      return {
        ...node,
        first: withPlainDrawing(node.first),
        rest: node.rest.map((item) => ({ ...item, node: withPlainDrawing(item.node) })),
      };
  }
}

function plainWords(words: readonly TreeWord[]): readonly TreeWord[] {
  const opened = words.map((word) =>
    word.kind === 'script' ? { ...word, tree: withPlainDrawing(word.tree) } : word,
  );
  const git = words.findIndex(
    (word, index) => (index === 0 || word.kind === 'program') && programName(wordText(word)) === 'git',
  );
  if (git < 0) return opened;
  const subcommand = gitSubcommand(words.slice(git + 1).map(asWord));
  const added = PLAIN_DRAWING[subcommand?.name ?? ''];
  if (subcommand === undefined || added === undefined) return opened;
  const at = git + 1 + subcommand.index + 1;
  return [...opened.slice(0, at), ...added.map(literal), ...opened.slice(at)];
}

function asWord(word: TreeWord): CommandWord {
  return word.kind === 'glob' ? word : literal(word.text);
}

function literal(text: string): CommandWord {
  return { kind: 'literal', text };
}
