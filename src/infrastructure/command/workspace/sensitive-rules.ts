/** What is said about a path before a command sees it. */
export interface SensitiveRules {
  /** Seen by nobody. */
  readonly isHidden: (path: string) => boolean;
  /** Hidden because a policy says so, or the server needs it, and not only because such files often hold secrets. */
  readonly isNamed: (path: string) => boolean;
  /** The policy names files to hide, beside what the server needs. */
  readonly namesSome: boolean;
  /** Seen, and changed by nobody. */
  readonly isFixed: (path: string) => boolean;
  /** The server's own: hidden as a folder, shown as a file that git may have. */
  readonly isServerFile: (path: string) => boolean;
  /** False: no rule is about that name in this folder. Quick, for walks. */
  readonly concerns: (folder: string) => (name: string) => boolean;
  /**
   * How many of the folders above a hidden path must keep their names so that it stays hidden; 0 for a rule that
   * holds anywhere.
   */
  readonly pinnedParents: (path: string) => number;
  /** Which paths belong to packages and builds. */
  readonly dependencies: DependencyRules;
}

/** What is said about the folders that package managers fill. */
export interface DependencyRules {
  /** In a folder that package managers and builds fill. */
  readonly has: (path: string) => boolean;
  /** In a package, and the policy does not name it: a file that looks like a secret there is nobody's. */
  readonly ships: (path: string) => boolean;
  /** In a folder in which nobody works: repositories there are part of packages. */
  readonly ownsRepository: (path: string) => boolean;
}
