import { type FileError, fileError } from '../../domain/file/file-error.js';
import { type Flags, mergeFlags } from '../../domain/flag/flag.js';
import { isFlagOn } from '../../domain/flag/flag-condition.js';
import type { Category } from '../../domain/knowledge/document/category.js';
import { compilePattern, type PathPattern } from '../../domain/permission/path/path-pattern.js';
import { Result } from '../../domain/result.js';
import type { FlagStore } from '../ports/flag/flag-store.js';
import type {
  DocumentChange,
  DocumentLibrary,
  LibraryDocument,
} from '../ports/knowledge/document-library.js';
import type { Logger } from '../ports/system/logger.js';

interface Switch {
  readonly pattern: PathPattern;
  readonly flag: string;
}

const NO_FLAGS: Flags = new Map();

/**
 * A library in which some documents exist only while a flag is on in this project. At first, a flag not known
 * to be on counts as off; if flags cannot be read later, every document stays as it was.
 */
export class SwitchedDocumentLibrary implements DocumentLibrary {
  readonly #switches = new WeakMap<Category, readonly Switch[]>();
  readonly #seen = new Set<Category>();
  readonly #listeners = new Set<(change: DocumentChange) => void>();
  readonly #forgetLibrary: () => void;
  #forgetFlags: (() => void) | undefined;
  #flags = NO_FLAGS;
  #turn: Promise<void> | undefined;

  constructor(
    private readonly library: DocumentLibrary,
    private readonly store: FlagStore,
    private readonly logger: Logger,
  ) {
    this.#forgetLibrary = library.onChange((change) => {
      if (this.#isOn(change.document)) this.#announce(change);
    });
  }

  async list(category: Category) {
    await this.#ready();
    this.#seen.add(category);
    const listed = await this.library.list(category);
    return listed.success ? Result.ok(listed.value.filter((document) => this.#isOn(document))) : listed;
  }

  async read(document: LibraryDocument) {
    await this.#ready();
    if (this.#isOn(document)) return this.library.read(document);
    const error: FileError = fileError('not-found', document.shownPath);
    return Result.failure(error, 'FileError');
  }

  refresh(category: Category, path: string) {
    return this.library.refresh(category, path);
  }

  problems() {
    return this.library.problems();
  }

  onChange(listener: (change: DocumentChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#forgetFlags?.();
    this.#forgetLibrary();
    this.#listeners.clear();
    await this.library.close();
  }

  /** The flags are read on first use and followed from then on, one reading after another. */
  #ready(): Promise<void> {
    if (this.#turn === undefined) {
      this.#forgetFlags = this.store.onChange(() => {
        this.#turn = this.#turn?.then(() => this.#follow());
      });
      this.#turn = this.#follow();
    }
    return this.#turn;
  }

  async #follow(): Promise<void> {
    const [project, global] = [await this.store.all('project'), await this.store.all('global')];
    for (const read of [project, global]) {
      if (!read.success) this.logger.warn(`Documents stay as they are: ${read.error}`);
    }
    if (!project.success || !global.success) return;
    const before = this.#flags;
    this.#flags = mergeFlags(project.value, global.value);
    for (const category of this.#seen) await this.#announceSwitched(category, before);
  }

  async #announceSwitched(category: Category, before: Flags): Promise<void> {
    const listed = await this.library.list(category);
    for (const document of listed.success ? listed.value : []) {
      const [was, is] = [this.#isOn(document, before), this.#isOn(document)];
      if (was !== is) this.#announce({ kind: is ? 'added' : 'removed', document });
    }
  }

  #announce(change: DocumentChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  #isOn({ category, path }: LibraryDocument, flags = this.#flags): boolean {
    return this.#switchesOf(category).every(
      ({ pattern, flag }) => !pattern.matches(path) || isFlagOn(flags.get(flag)),
    );
  }

  #switchesOf(category: Category): readonly Switch[] {
    const known = this.#switches.get(category);
    if (known !== undefined) return known;
    const switches = (category.enabledBy ?? []).map(({ pattern, flag }) => {
      const compiled = compilePattern(pattern);
      if (!compiled.success) throw new Error(`The settings were checked: ${compiled.error}`);
      return { pattern: compiled.value, flag };
    });
    this.#switches.set(category, switches);
    return switches;
  }
}
