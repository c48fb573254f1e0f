import type { CommandPlan } from '../../domain/command/command-plan.js';
import { gitSubcommand } from '../../domain/command/programs/git-options.js';
import { programName } from '../../domain/command/wrapper.js';
import type { CommandOutcome } from '../ports/command/command-sandbox.js';
import type { CommandTraces } from '../ports/command/command-view.js';

/** Subcommands that print, count or write changes of files. */
const TELLING = new Set(
  'diff diff-tree diff-index diff-files log show whatchanged format-patch range-diff reflog stash commit merge pull rebase cherry-pick revert am request-pull'.split(
    ' ',
  ),
);
/** Changes as git prints them: their sum, one file of them, or a patch. */
const CHANGES = /^ ?\d+ files? changed\b|^ .* \| +(?:\d+|Bin)\b|^diff --(?:git|cc|combined) /m;
const MAX_FILES = 20;

/**
 * Tells where git's output may be wrong about a file that it cannot read: git takes such a file for an empty one without a
 * word, wherever the file is as the index has it, since it would rather read the file than the object.
 */
export function withUnread(
  plan: CommandPlan,
  outcome: CommandOutcome,
  { unread = [] }: CommandTraces,
): CommandOutcome {
  if (unread.length === 0 || !isToldBy(plan, outcome.stdout)) return outcome;
  const more = unread.length > MAX_FILES ? ` and ${unread.length - MAX_FILES} more` : '';
  const note = `The policy hides ${unread.slice(0, MAX_FILES).join(', ')}${more} from commands, so in the changes that git prints, counts or writes into a patch it may stand as an empty file. Commits and git's index have its whole content.`;
  return { ...outcome, hint: outcome.hint === undefined ? note : `${outcome.hint} ${note}` };
}

function isToldBy({ programs, files }: CommandPlan, stdout: string): boolean {
  const started = programs.filter(({ possible }) => possible !== true);
  const names = started
    .filter(({ program }) => programName(program) === 'git')
    .map(({ args }) => gitSubcommand(args)?.name ?? '')
    .filter((name) => TELLING.has(name));
  if (names.length === 0) return false;
  // What went to another program or into a file is not to be seen here.
  const isElsewhere = started.length > 1 || files.some(({ mode }) => mode !== 'read');
  return isElsewhere || names.includes('format-patch') || CHANGES.test(stdout);
}
