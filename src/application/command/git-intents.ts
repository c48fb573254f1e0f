import { type CommandPlan, type ProgramCall, wordText } from '../../domain/command/command-plan.js';
import { gitSubcommand } from '../../domain/command/programs/git-options.js';
import { enterDirectory } from '../../domain/command/working-directory.js';
import { programName } from '../../domain/command/wrapper.js';
import type { CommandRequest } from '../ports/command/command-runner.js';
import { mayDoMore } from './git-overrides.js';

/** Subcommands that change a repository's settings and run nothing, whatever its configuration says. */
const QUIET: Readonly<Record<string, RegExp>> = {
  config: /^(?!-e$|--edit$)/,
  remote: /^(|-v|--verbose|add|remove|rm|rename|set-url|get-url|set-branches)$/,
  branch: /^/,
  submodule: /^(|init|sync|set-url|set-branch|status)$/,
};
/** Options with which they contact another repository. */
const REACHING = /^(-f|--fetch|-[a-z]*f)$/;
/** Subcommands that may change settings, and may run hooks or programs from the configuration. */
const PASSING = new Set(
  'checkout switch push pull fetch submodule sparse-checkout worktree init mv rm'.split(' '),
);
/** Subcommands allowed in the same command line. */
const BESIDE = new Set(
  'status add commit diff log show tag rev-parse symbolic-ref ls-files merge rebase stash reset restore cherry-pick revert describe rev-list cat-file ls-tree reflog'.split(
    ' ',
  ),
);
const READING = new Set('log show rev-parse symbolic-ref rev-list cat-file ls-tree'.split(' '));
/** Programs that only print. */
const HELPERS = new Set('echo printf true cat head tail grep ls pwd wc test ['.split(' '));
/** Options that make git run a program named in the command line. */
const RUNNING = /^(-[A-Za-z]*[xi].*|--ex.*|--int.*|--upl.*|--rece.*|run|foreach)$/s;

type Kind = 'quiet' | 'passing' | 'beside' | 'reading' | 'unknown';

/**
 * The directories in which only git changes its settings in this command line; undefined if it does not, or
 * others run beside it.
 */
export function settingsChange({ programs, files, ...plan }: CommandPlan): CommandRequest['gitSettings'] {
  if (mayDoMore(plan)) return undefined;
  const sure = programs.filter(({ possible }) => possible !== true);
  const gits = sure.filter((call) => !isHelper(call));
  const kinds = gits.map(kindOf);
  if (files.some(({ mode }) => mode !== 'read') || kinds.includes('unknown')) return undefined;
  if (!kinds.some((kind) => kind === 'quiet' || kind === 'passing')) return undefined;
  const isQuiet = kinds.every((kind) => kind === 'quiet' || kind === 'reading');
  const folders = gits.map(({ args, directory }) =>
    (gitSubcommand(args)?.folders ?? []).reduce(enterDirectory, directory),
  );
  return { runsNothingElse: isQuiet, folders: [...new Set(folders)] };
}

function isHelper({ program, via, unseenArguments }: ProgramCall): boolean {
  return HELPERS.has(program) && via === undefined && unseenArguments === undefined;
}

function kindOf({ program, args, via, unseenArguments }: ProgramCall): Kind {
  const isPlain = programName(program) === 'git' && via === undefined && unseenArguments === undefined;
  const subcommand = isPlain ? gitSubcommand(args) : undefined;
  if (subcommand === undefined) return 'unknown';
  const { name, index } = subcommand;
  const words = args.slice(index + 1).map(wordText);
  const isQuiet = QUIET[name]?.test(words[0] ?? '') === true;
  if (isQuiet && !(name === 'remote' && words.some((word) => REACHING.test(word)))) return 'quiet';
  if (words.some((word) => RUNNING.test(word))) return 'unknown';
  if (PASSING.has(name)) return 'passing';
  if (READING.has(name)) return 'reading';
  return BESIDE.has(name) ? 'beside' : 'unknown';
}
