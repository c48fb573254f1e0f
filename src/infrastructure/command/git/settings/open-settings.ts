import { Quarantine } from '../../workspace/quarantine.js';
import { type ChangedKey, changedKey, entriesOf, movedRemotes } from '../config-verdict.js';
import { look, readRegularFile } from '../git-files.js';
import { isSameFile, type SavedFile, savedFile, writeSaved } from '../restore/saved-files.js';

/** A configuration that git may change, as long as what it says runs nothing and leads nowhere. */
export interface SettingsFile {
  readonly path: string;
  /** The git folder that it belongs to. */
  readonly folder: string;
  /** Where `core.worktree` may lead. */
  readonly roots: readonly string[];
}

export interface SettingsFinding {
  readonly path: string;
  readonly text: string;
  /** It was taken back, so that the command has failed; else it is only told. */
  readonly isRefusal: boolean;
}

/** Configurations that are open while one command of git runs, as they were before it. */
export class OpenSettings {
  readonly #before: ReadonlyMap<SettingsFile, SavedFile | undefined>;

  constructor(
    files: readonly SettingsFile[],
    private readonly quarantine: Quarantine,
  ) {
    this.#before = new Map(files.map((file) => [file, savedFile(file.path)]));
  }

  /** What the command made of them. `isOver`: nothing of it is left. What is harmful is put back at once. */
  judge(isOver: boolean): readonly SettingsFinding[] {
    return [...this.#before].flatMap(([file, before]) => this.#judge(file, before, isOver));
  }

  #judge(file: SettingsFile, before: SavedFile | undefined, isOver: boolean): readonly SettingsFinding[] {
    const { path, folder, roots } = file;
    const now = savedFile(path);
    // What is not there runs nothing, and may be going as a whole, as with a worktree that git removes.
    if (look(path) === undefined && (!isOver || look(folder) === undefined)) return [];
    if (before === undefined ? look(path) === undefined : isSameFile(before, now)) return [];
    const old = textOf(before);
    const text = now?.kind === 'file' ? readRegularFile(path) : undefined;
    // git puts a whole file in its place, but another program may be in the middle of writing.
    if (!isOver && text !== undefined && entriesOf(text) === undefined) return [];
    const changed = text === undefined ? NO_FILE : changedKey(old, text, folder, roots);
    if (changed !== undefined) return [this.#putBack(path, before, changed)];
    const moved = isOver && text !== undefined ? movedRemotes(old, text) : [];
    return moved.map((sentence) => ({
      path: `${path} ${sentence}`,
      text: `In ${path}, ${sentence} What the user pushes goes there from now on.`,
      isRefusal: false,
    }));
  }

  #putBack(path: string, before: SavedFile | undefined, { key, why: clause }: ChangedKey): SettingsFinding {
    const why = `The command changed ${key} in ${path}, ${clause}.`;
    const next = `Commands may set what only says how git works (user.name, remote.NAME.url with an address of http, https, ssh or git, branch.NAME.merge and the like): leave that key out, or ask the user to run the command.`;
    try {
      // A folder or anything else that a file cannot replace.
      if (before === undefined || look(path)?.isFile() !== true) this.quarantine.take(path);
      if (before !== undefined) writeSaved(path, before);
      return { path, text: `${why} The file is as it was before. ${next}`, isRefusal: true };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const text = `${why} It could not be put back (${reason}): tell the user to look at it before using git.`;
      return { path, text, isRefusal: true };
    }
  }
}

const NO_FILE: ChangedKey = { key: 'what kind of file it is', why: 'which git would follow' };

function textOf(file: SavedFile | undefined): string {
  return file?.kind === 'file' ? file.bytes.toString('utf8') : '';
}
