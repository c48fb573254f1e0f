/** Repositories that commands can see. */
export interface SeenRepositories {
  readonly entries: readonly string[];
  readonly folders: readonly string[];
}

/** Knows which files a repository has: what it has, a command can read there whatever a rule hides. */
export interface TrackedFiles {
  /** Those of the files that need no mask. */
  open(files: readonly string[], seen: SeenRepositories): Promise<ReadonlySet<string>>;
  /** Whether a file that has just appeared holds what a repository holds. */
  isStored(path: string, seen: SeenRepositories): Promise<boolean>;
  /** A command that could read these has ended. */
  leftBy(paths: readonly string[]): void;
}
