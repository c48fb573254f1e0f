import { type CommandPlan, wordText } from '../../domain/command/command-plan.js';
import { quote } from '../../domain/command/command-text.js';
import { gitSubcommand } from '../../domain/command/programs/git-options.js';
import { programName } from '../../domain/command/wrapper.js';
import { permissionDenied, type ToolError } from '../../domain/tool/tool-error.js';
import type { CommandSideEffects } from '../ports/command/command-runner.js';
import type { CommandOutcome } from '../ports/command/command-sandbox.js';

/** git's message about a file that it could neither remove nor write, because it is mounted. */
const COMPLAINT =
  /^(?:error|warning|fatal): unable to (?:unlink(?: old)?|(?:create|write)(?: file| symlink| directory)?) (?!temporary file)'?([^'\n]+?)'?: (?:Device or resource busy|Read-only file system)/m;
const COMPLAINTS = new RegExp(COMPLAINT, 'gm');
/** git's message about a file that it cannot read, because a placeholder is in its place. */
const UNREADABLE =
  /^(?:error|fatal): (?:open\("(.+)"\): Permission denied|(.+): (?:unsupported file type|can only add regular files)\b.*)$/gm;
/** git's message before it stops. */
const GAVE_UP = /^fatal: /m;
/** git's message about a file or directory that it could not remove. */
const UNREMOVED = /^warning: failed to remove (.+): (?:Device or resource busy|Read-only file system)$/gm;
const CHANGING = new Set(
  'checkout switch restore merge rebase cherry-pick revert stash pull reset bisect am apply read-tree checkout-index submodule worktree sparse-checkout'.split(
    ' ',
  ),
);
const MAX_FILES = 20;
const MAX_OUTPUT = 2_000;

/**
 * Why a command has failed although git may have exited with 0: git's index has moved to another version of a
 * file that commands cannot write.
 */
export function leftBehindFailure(
  plan: CommandPlan,
  outcome: CommandOutcome,
  traces: CommandSideEffects,
): ToolError | undefined {
  const { leftBehind = [], putBack = [], movedHead } = traces;
  if (putBack.length > 0) return permissionDenied('PROTECTED', putBackText(putBack, outcome));
  const stop = stoppedAt(plan, outcome);
  if (stop !== undefined) return permissionDenied('PROTECTED', stop);
  const output = `${outcome.stderr}\n${outcome.stdout}`;
  const complains = COMPLAINT.test(output);
  const files = leftBehind.filter(
    ({ path, moved }) => (moved && (complains || changesFiles(plan))) || (complains && isNamed(output, path)),
  );
  const stopped = complains && files.length === 0;
  if (files.length === 0 && !stopped) return undefined;
  const names = files.map(({ path }) => path);
  const message = stopped ? stoppedText(outcome) : leftText(names, movedHead, outcome);
  return permissionDenied('PROTECTED', message);
}

/** git found a masked file, or could not remove one; a part of its work may be done. */
function stoppedAt(plan: CommandPlan, outcome: CommandOutcome): string | undefined {
  if (!plan.programs.some(({ program }) => programName(program) === 'git')) return undefined;
  // In a pipe, and before `;`, the exit code is another program's.
  if (outcome.exitCode === 0 && !GAVE_UP.test(outcome.stderr)) return undefined;
  const named = (words: RegExp): string =>
    [...new Set([...outcome.stderr.matchAll(words)].map(([, first, second]) => first ?? second ?? ''))]
      .slice(0, MAX_FILES)
      .join(', ');
  const [hidden, kept] = [named(UNREADABLE), named(UNREMOVED)];
  if (hidden !== '')
    return `git stopped because it needs ${hidden}, which the policy hides from commands and which is not as git's index has it. Nothing was taken in its place. git status tells what was done before that; leave the file out (git add FILE, git commit FILE, git stash push FILE), or ask the user to run the git command. Exit code ${outcome.exitCode}.${printed(outcome)}`;
  if (kept !== '')
    return `git could not remove ${kept}: other programs obey what is there, or the policy hides it, so commands cannot remove it. The rest was removed. Ask the user to remove it. Exit code ${outcome.exitCode}.${printed(outcome)}`;
  return undefined;
}

function putBackText(files: readonly string[], outcome: CommandOutcome): string {
  const names = files.slice(0, MAX_FILES);
  const more = files.length > names.length ? ` and ${files.length - names.length} more` : '';
  return `${names.join(', ')}${more} may only be brought by git to a content that the repository had before the server started, because other programs obey these files. They are as they were before the command; what git had written there is in the quarantine folder of the server's state. Everything else is as git left it, so git status shows these files as changed: go back with git (git checkout -f BRANCH, git merge --abort, git rebase --abort, git reset --hard COMMIT), or ask the user to take the change over with git checkout HEAD -- ${names.map(quote).join(' ')}. Exit code ${outcome.exitCode}.${printed(outcome)}`;
}

function leftText(
  files: readonly string[],
  head: CommandSideEffects['movedHead'],
  outcome: CommandOutcome,
): string {
  const listed =
    files.slice(0, MAX_FILES).join(', ') +
    (files.length > MAX_FILES ? ` and ${files.length - MAX_FILES} more` : '');
  const moved =
    head === undefined ? 'HEAD is where it was' : `HEAD was ${head.before} and is ${head.after} now`;
  const paths = files.slice(0, MAX_FILES).map(quote).join(' ');
  // With the previous index, git considers these files unchanged.
  const back =
    head === undefined
      ? `to go back, run git reset -- ${paths}`
      : `to go back, run git reset ${head.before} -- ${paths} and then ${head.branch === undefined ? `git reset --hard ${head.before}` : `git checkout ${quote(head.branch)}`}`;
  return `git could not write ${listed}: other programs obey these files, or the policy denies them, so commands cannot change them. They are as they were before, but git's index has another version, and the next commit of them would undo it. ${moved}; everything else is as git left it: ${back}. Or ask the user to run the git command. Exit code ${outcome.exitCode}.${printed(outcome)}`;
}

function stoppedText(outcome: CommandOutcome): string {
  const output = `${outcome.stderr}\n${outcome.stdout}`;
  const files = [...new Set([...output.matchAll(COMPLAINTS)].map(([, name]) => name))];
  return `git stopped because it could not write ${files.slice(0, MAX_FILES).join(', ')}: other programs obey these files, or the policy denies them, so commands cannot change them. They are as they were, and so is git's index of them, but other files that git wrote before it came to them may have changed: git status names those, git checkout -- FILE brings one back. Or ask the user to run the git command. Exit code ${outcome.exitCode}.${printed(outcome)}`;
}

function printed({ stderr }: CommandOutcome): string {
  return stderr.trim() === '' ? '' : ` It printed: ${stderr.trim().slice(-MAX_OUTPUT)}`;
}

/** As git names it: relative to a repository, which may be below the workspace. */
function isNamed(output: string, path: string): boolean {
  return path.split('/').some((_, index, parts) => output.includes(parts.slice(index).join('/')));
}

/** Returns true if a git of the command line changes files, not only its index. */
function changesFiles({ programs }: CommandPlan): boolean {
  return programs.some((call) => {
    if (programName(call.program) !== 'git') return false;
    const name = gitSubcommand(call.args)?.name ?? '';
    const words = new Set(call.args.map(wordText));
    if (name === 'reset') return ['--hard', '--merge', '--keep'].some((word) => words.has(word));
    if (name === 'restore')
      return words.has('--worktree') || words.has('-W') || !(words.has('--staged') || words.has('-S'));
    if (name === 'apply' || name === 'read-tree')
      return !words.has('--cached') && (name === 'apply' || words.has('-u'));
    return CHANGING.has(name);
  });
}
