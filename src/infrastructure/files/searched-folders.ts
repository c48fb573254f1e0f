/** Files of one folder that follow one another. */
interface Run {
  readonly folder: string;
  readonly from: number;
  to: number;
}

/** The folders of a walk that were read to their end and of whose files none was left out. */
export class SearchedFolders {
  readonly #files = new Map<string, number>();

  leave(folder: string, files: number, whole: boolean): void {
    if (whole && files > 1) this.#files.set(folder, files);
  }

  /** The same files in fewer words: a folder stands for its files where all of them are meant. */
  places(paths: readonly string[]): readonly string[] {
    const runs = runsOf(paths);
    const missing = new Map<string, number>();
    for (const { folder, from, to } of runs) {
      const files = missing.get(folder) ?? this.#files.get(folder);
      if (files !== undefined) missing.set(folder, files - (to - from));
    }
    // A walk comes to a folder once.
    for (const folder of missing.keys()) this.#files.delete(folder);
    const places: string[] = [];
    for (const [folder, files] of missing) if (files === 0) places.push(folder === '' ? '.' : folder);
    for (const { folder, from, to } of runs) {
      if (missing.get(folder) !== 0) places.push(...paths.slice(from, to));
    }
    return places;
  }
}

function runsOf(paths: readonly string[]): readonly Run[] {
  const runs: Run[] = [];
  let run: Run | undefined;
  for (const [index, path] of paths.entries()) {
    const end = Math.max(0, path.lastIndexOf('/'));
    if (run === undefined || run.folder.length !== end || !path.startsWith(run.folder)) {
      run = { folder: path.slice(0, end), from: index, to: index };
      runs.push(run);
    }
    run.to = index + 1;
  }
  return runs;
}
