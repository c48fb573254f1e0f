/** Where the git lies that the server itself asks; never one that a workspace brings. */
export const SYSTEM_GIT: readonly string[] = [
  '/usr/bin/git',
  '/usr/local/bin/git',
  '/opt/homebrew/bin/git',
  '/run/current-system/sw/bin/git',
];
