import { joinRelative } from '../locate/path-locator.js';

/** Consecutive files of one directory. */
export interface FileRun {
  readonly folder: string;
  readonly names: string[];
}

export function pathsOf(runs: readonly FileRun[]): readonly string[] {
  return runs.flatMap((run) => run.names.map((name) => joinRelative(run.folder, name)));
}

/** The files that are among the paths, in order. */
export function filesAmong(runs: readonly FileRun[], paths: ReadonlySet<string>): readonly string[] {
  const folders = new Set<string>();
  for (const path of paths) folders.add(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
  return pathsOf(runs.filter(({ folder }) => folders.has(folder))).filter((path) => paths.has(path));
}

/** The directories of a walk that were read completely and none of whose files was excluded. */
export class SearchedFolders {
  readonly #files = new Map<string, number>();

  leave(folder: string, files: number, whole: boolean): void {
    if (whole && files > 1) this.#files.set(folder, files);
  }

  /** The same files in fewer arguments: a directory stands for its files if all of them are meant. */
  places(runs: readonly FileRun[]): readonly string[] {
    const missing = new Map<string, number>();
    for (const { folder, names } of runs) {
      const files = missing.get(folder) ?? this.#files.get(folder);
      if (files !== undefined) missing.set(folder, files - names.length);
    }
    // A walk visits each directory once.
    for (const folder of missing.keys()) this.#files.delete(folder);
    const whole: string[] = [];
    for (const [folder, files] of missing) if (files === 0) whole.push(folder === '' ? '.' : folder);
    return [...whole, ...pathsOf(runs.filter(({ folder }) => missing.get(folder) !== 0))];
  }
}
