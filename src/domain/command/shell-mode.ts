/**
 * What a command line may be. `none`: one simple command. `static`: pipes, lists, groups, redirections and
 * globs, all known in advance. `full`: any script that a shell accepts, inside the sandbox.
 */
export type ShellMode = 'none' | 'static' | 'full';

const STRICTEST_FIRST: readonly ShellMode[] = ['none', 'static', 'full'];

/** The mode that applies if two policies disagree. */
export function stricterShell(first: ShellMode, second: ShellMode): ShellMode {
  return STRICTEST_FIRST.indexOf(first) <= STRICTEST_FIRST.indexOf(second) ? first : second;
}
