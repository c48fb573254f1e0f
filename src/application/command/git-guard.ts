import type { CommandPlan, ProgramCall } from '../../domain/command/command-plan.js';
import { quote } from '../../domain/command/command-text.js';
import { gitSubcommand } from '../../domain/command/programs/git-options.js';
import { overridesFor, redirectsAddresses } from '../../domain/command/programs/git-settings.js';
import { enterDirectory, explicitPath } from '../../domain/command/working-directory.js';
import { programName } from '../../domain/command/wrapper.js';
import { isInside } from '../../domain/permission/path/normal-path.js';
import { Result } from '../../domain/result.js';
import { permissionDenied, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import type { CommandJob, CommandOutcome } from '../ports/command/command-sandbox.js';
import { gitEnvironment } from './git-overrides.js';

type Overrides = readonly (readonly [string, string])[];

const MAX_FOLDERS = 16;
const MAX_OVERRIDES = 1000;
const MAX_LISTING_BYTES = 1024 * 1024;
const TIMEOUT_MS = 10_000;
const TOP = 'castellan.toplevel';
const NETWORK = new Set(['fetch', 'pull', 'push']);

/**
 * Lets git itself list its settings in every directory that the command line works in, and in repositories
 * inside them that it would enter. The server reads none of them.
 */
const LISTING = `
list() {
  local top nested entry
  "$GIT" -C "$1" config --list --includes -z || exit 3
  top=$("$GIT" -C "$1" rev-parse --show-toplevel 2>/dev/null) || return 0
  printf '${TOP}\\n%s\\0' "$top"
  [ "$2" -lt 8 ] || exit 4
  links "$top" | while IFS= read -r -d '' entry; do
    for nested in "$top/$entry" "$top/\${entry#*$'\\t'}"; do
      if [ -e "$nested/.git" ]; then list "$nested" $(($2 + 1)); fi
    done
  done || exit 5
}
links() {
  "$GIT" -C "$1" ls-files -s -z | "$GREP" -z '^160000 '
  if [ "$OTHERS" = 1 ]; then "$GIT" -C "$1" ls-files -o -z | "$GREP" -z '/$'; fi
  return 0
}
`;

/** Subcommands that change files of the working tree. */
const CHANGING = new Set(
  'restore checkout switch reset rm mv merge cherry-pick revert pull clean stash init'.split(' '),
);
/** Programs that can replace the repository that was examined. */
const REPLACING = new Set(['cp', 'mv', 'ln', 'rsync', 'install', 'tar', 'cpio', 'unzip', 'dd', 'patch']);

function gitCalls(plan: CommandPlan): readonly ProgramCall[] {
  return plan.programs.filter((call) => !call.possible && programName(call.program) === 'git');
}

/** The directories that the command line's git calls work in, relative to the call's own. */
function foldersOf(plan: CommandPlan): readonly string[] {
  const folders = gitCalls(plan).map(({ args, directory }) =>
    (gitSubcommand(args)?.folders ?? []).reduce(enterDirectory, directory),
  );
  return [...new Set(folders)];
}

/** The listing as a job like the command's own: same sandbox, same view. undefined if it cannot be run. */
export function gitListingJob(
  plan: CommandPlan,
  job: CommandJob,
  programs: { readonly shell?: string; readonly git?: string; readonly grep?: string },
): CommandJob | undefined {
  const { shell, git, grep } = programs;
  const folders = foldersOf(plan);
  if (plan.programs.some((call) => REPLACING.has(programName(call.program)))) return undefined;
  if (shell === undefined || git === undefined || grep === undefined || folders.length > MAX_FOLDERS)
    return undefined;
  // An earlier git of the command line may add a repository that is not part of this one yet.
  const others = gitCalls(plan).length > 1 ? 1 : 0;
  const settings = `GIT=${quote(git)} GREP=${quote(grep)} OTHERS=${others}`;
  const lists = folders.map((folder) => `list ${quote(explicitPath(folder))} 0`);
  const { stdin: _, onOutput: __, saveOutput: ___, ...rest } = job;
  return {
    ...rest,
    program: { kind: 'script', shell, text: [settings, LISTING, ...lists].join('\n') },
    env: { ...job.env, ...gitEnvironment([]) },
    network: 'none',
    limits: {
      ...job.limits,
      timeoutMs: Math.min(TIMEOUT_MS, job.limits.timeoutMs),
      maxOutputBytes: MAX_LISTING_BYTES,
    },
  };
}

/** The overrides for this command line, or why it may not run. */
export function gitOverrides(
  plan: CommandPlan,
  outcome: Result<CommandOutcome, ToolError>,
  workspace: string,
): Result<Overrides, ToolError> {
  if (!outcome.success || outcome.value.exitCode !== 0) return refuse('could not be read');
  const { stdout, truncated } = outcome.value;
  // A name that is not valid UTF-8 could not be overridden.
  if (truncated || stdout.includes('\uFFFD')) return refuse('are too many, or have names that are not text');
  const entries = stdout.split('\0').map((entry) => {
    const end = entry.indexOf('\n');
    return end < 0 ? { key: entry, value: '' } : { key: entry.slice(0, end), value: entry.slice(end + 1) };
  });
  const keys = new Set(entries.map(({ key }) => key));
  const tops = entries.filter(({ key }) => key === TOP).map(({ value }) => value);
  if (keys.has('core.worktree') && !tops.every((top) => isInside(top, workspace)))
    return refuse('name a folder outside the workspace as the working tree');
  if (changesFiles(plan) && [...keys].some((key) => /^include(if\..*)?\.path$/s.test(key)))
    return refuse('include other files, which this line may change before git reads them');
  if (usesNetwork(plan) && [...keys].some(redirectsAddresses))
    return refuse('rewrite the addresses of remotes (url.*.insteadOf)');
  const overrides = overridesFor(keys);
  return overrides.length > MAX_OVERRIDES ? refuse('name too many programs') : Result.ok(overrides);
}

/** Returns true if something in the command line may change a file that a later git reads. */
function changesFiles(plan: CommandPlan): boolean {
  const writers = plan.programs.filter((call) => programName(call.program) === 'tee');
  const gits = gitCalls(plan).map(({ args }) => gitSubcommand(args)?.name ?? '');
  const changing = gits.length > 1 && gits.some((name) => CHANGING.has(name));
  return changing || writers.length > 0 || plan.files.some(({ mode }) => mode !== 'read');
}

function usesNetwork(plan: CommandPlan): boolean {
  return gitCalls(plan).some(({ args }) => NETWORK.has(gitSubcommand(args)?.name ?? ''));
}

function refuse(why: string): Result<never, ToolError> {
  return toolFailure(
    permissionDenied(
      'HAZARDOUS_ARGUMENT',
      `The settings of the git repository ${why}, and git is allowed by name only, so nothing that a repository names may run. Ask the user to look at git config --list --show-origin.`,
    ),
  );
}

/** Why the listing could not be run. */
export function gitUnaskable(): Result<never, ToolError> {
  return toolFailure(
    permissionDenied(
      'HAZARDOUS_ARGUMENT',
      `If git is allowed by name, its settings are checked first, which needs bash and grep on this machine, at most ${MAX_FOLDERS} folders in one line, and no cp, mv or the like beside git. Run git in a call of its own, or ask the user for a rule that allows every program in the sandbox.`,
    ),
  );
}
