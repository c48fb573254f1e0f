import type { DocumentChange, LibraryDocument } from '../../application/ports/knowledge/document-library.js';
import type { FileError } from '../../domain/file/file-error.js';
import { documentId, documentUri, plainId } from '../../domain/knowledge/document/document-name.js';
import { compilePattern, type PathPattern } from '../../domain/permission/path/path-pattern.js';
import { Result } from '../../domain/result.js';
import type { CategoryFolder, FileState } from './category-folder.js';

export interface ScanOutcome {
  readonly changes: readonly DocumentChange[];
  /** Files that exist and were excluded, with the reason, by path. */
  readonly leftOut: ReadonlyMap<string, string>;
  readonly folders: ReadonlySet<string>;
}

export interface LookOutcome {
  readonly changes: readonly DocumentChange[];
  /** Why it is no longer a document. */
  readonly error?: FileError;
}

/** The known files of one category, and what changed since. */
export class CategoryIndex {
  #files = new Map<string, FileState>();
  #documents: ReadonlyMap<string, LibraryDocument> | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  readonly #own: readonly PathPattern[];

  constructor(readonly folder: CategoryFolder) {
    this.#own = folder.category.patterns.flatMap((pattern) => {
      const compiled = compilePattern(pattern);
      return compiled.success ? [compiled.value] : [];
    });
  }

  /** By path, sorted by path. */
  get documents(): ReadonlyMap<string, LibraryDocument> {
    this.#documents ??= this.#describe();
    return this.#documents;
  }

  /** False if the path is not a document now and is or was a directory. */
  isFile(path: string): boolean {
    return this.#files.has(path);
  }

  isCurrent(path: string, { size, modifiedMs }: FileState): boolean {
    const known = this.#files.get(path);
    return known?.size === size && known.modifiedMs === modifiedMs;
  }

  /** Scans the whole directory. */
  scan(): Promise<Result<ScanOutcome, FileError>> {
    return this.#inTurn(() => this.#scanNow());
  }

  /** Reads one file again. */
  look(path: string): Promise<LookOutcome> {
    return this.#inTurn(() => this.#lookNow(path));
  }

  /** A slow scan must not undo what a later look at one file has found. */
  #inTurn<T>(action: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(action);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #scanNow(): Promise<Result<ScanOutcome, FileError>> {
    const scanned = await this.folder.scan();
    if (!scanned.success) return scanned;
    const before = this.documents;
    const old = this.#files;
    this.#files = new Map(scanned.value.files);
    this.#documents = undefined;
    const paths = [...new Set([...old.keys(), ...this.#files.keys()])];
    const changes = paths.flatMap((path) => this.#changeOf(path, old.get(path), before));
    const { leftOut, folders } = scanned.value;
    return Result.ok({ changes, leftOut, folders });
  }

  async #lookNow(path: string): Promise<LookOutcome> {
    const found = await this.folder.look(path);
    const before = this.documents;
    const old = this.#files.get(path);
    if (found?.success) this.#files.set(path, found.value);
    else this.#files.delete(path);
    this.#documents = undefined;
    const changes = this.#changeOf(path, old, before);
    return { changes, ...(found?.success === false && { error: found.error }) };
  }

  #changeOf(
    path: string,
    old: FileState | undefined,
    before: ReadonlyMap<string, LibraryDocument>,
  ): readonly DocumentChange[] {
    if (old !== undefined && this.isCurrent(path, old)) return [];
    const document = this.documents.get(path) ?? before.get(path);
    if (document === undefined) return [];
    if (!this.#files.has(path)) return [{ kind: 'removed', document }];
    return [{ kind: old === undefined ? 'added' : 'changed', document }];
  }

  #describe(): ReadonlyMap<string, LibraryDocument> {
    const { category } = this.folder;
    const taken = new Set<string>();
    const documents = new Map<string, LibraryDocument>();
    for (const path of [...this.#files.keys()].sort()) {
      const state = this.#files.get(path);
      if (state === undefined) continue;
      const uri = this.#own.some((pattern) => pattern.matches(path)) ? this.#freeUri(path, taken) : undefined;
      if (uri !== undefined) taken.add(uri);
      const { size, modifiedMs } = state;
      const shownPath = this.folder.shown(path);
      documents.set(path, { category, path, shownPath, size, modifiedMs, ...(uri !== undefined && { uri }) });
    }
    return documents;
  }

  /** Of two ADRs with the same number the first gets the short address. */
  #freeUri(path: string, taken: ReadonlySet<string>): string {
    const { category } = this.folder;
    const short = documentUri(category, documentId(category, path));
    if (!taken.has(short)) return short;
    const long = documentUri(category, plainId(category, path));
    return taken.has(long) ? documentUri(category, `${plainId(category, path)}.md`) : long;
  }
}
