/**
 * What a command line may be. `none`: one simple command. `static`: pipes, lists, groups, redirections and globs, all
 * known beforehand. `full`: besides, any text that a shell reads, inside the sandbox.
 */
export type ShellMode = 'none' | 'static' | 'full';

const STRICTEST_FIRST: readonly ShellMode[] = ['none', 'static', 'full'];

/** Where two policies meet. */
export function stricterShell(first: ShellMode, second: ShellMode): ShellMode {
  return STRICTEST_FIRST.indexOf(first) <= STRICTEST_FIRST.indexOf(second) ? first : second;
}
