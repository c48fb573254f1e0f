import type {
  DocumentChange,
  DocumentContent,
  DocumentLibrary,
  DocumentProblem,
  LibraryDocument,
} from '../../application/ports/knowledge/document-library.js';
import type { PolicySnapshot } from '../../application/ports/permission/policy-source.js';
import type { Logger } from '../../application/ports/system/logger.js';
import type { FileError } from '../../domain/file/file-error.js';
import type { Category } from '../../domain/knowledge/document/category.js';
import { Result } from '../../domain/result.js';
import type { FolderTools } from '../file/guarded-folder.js';
import { CategoryFolder } from './category-folder.js';
import { CategoryIndex } from './category-index.js';
import { notText, tooLarge } from './document-refusals.js';
import { FolderWatch } from './folder-watch.js';
import { describedBy, metadataBeside, withMetadata } from './kep-folder.js';
import { readMarkdown } from './markdown-reader.js';
import { TextCache } from './text-cache.js';

const MAX_DOCUMENT_BYTES = 4 * 1024 * 1024;
const MAX_METADATA_BYTES = 64 * 1024;
const CACHE_BYTES = 64 * 1024 * 1024;
/** How often a directory that cannot be watched is scanned. */
const POLL_MS = 1000;

interface OpenCategory {
  readonly index: CategoryIndex;
  readonly watch: FolderWatch;
  loaded: Promise<Result<void, FileError>>;
  /** Set if the directory cannot be watched. */
  poll?: NodeJS.Timeout;
  scanned: boolean;
}

/**
 * The library on disk: scanned on first use, watched afterwards, with texts cached up to a number of bytes.
 */
export class FileDocumentLibrary implements DocumentLibrary {
  readonly #open = new Map<string, OpenCategory>();
  readonly #texts = new TextCache<DocumentContent>(CACHE_BYTES);
  readonly #problems = new Map<string, string>();
  /** The last valid front matter, for when an edit breaks it. */
  readonly #lastGood = new Map<string, DocumentContent['frontMatter']>();
  readonly #listeners = new Set<(change: DocumentChange) => void>();
  readonly #forget: () => void;
  #policy: PolicySnapshot;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

  constructor(
    private readonly workspace: string,
    private readonly tools: FolderTools,
    private readonly logger: Logger,
  ) {
    const { policies } = tools;
    this.#policy = policies.current();
    this.#forget = policies.onChange((snapshot) => this.#under(snapshot));
  }

  async list(category: Category): Promise<Result<readonly LibraryDocument[], FileError>> {
    const open = this.#opened(category);
    const loaded = await open.loaded;
    if (!loaded.success) return loaded;
    return Result.ok([...open.index.documents.values()]);
  }

  async read(document: LibraryDocument): Promise<Result<DocumentContent, FileError>> {
    const { index } = this.#opened(document.category);
    const key = keyOf(document.category, document.path);
    const known = this.#texts.get(key);
    if (known !== undefined) return Result.ok(known);
    const policy = this.#policy;
    const range = { offset: 0, length: MAX_DOCUMENT_BYTES + 1 };
    const path = index.folder.absolute(document.path);
    const read = await index.folder.files.read(path, range);
    if (!read.success) return this.#failed(document, read.error);
    const { bytes, info } = read.value;
    if (info.size > MAX_DOCUMENT_BYTES)
      return this.#failed(document, tooLarge(document.shownPath, MAX_DOCUMENT_BYTES));
    const text = this.#decode(bytes);
    if (text === undefined) return this.#failed(document, notText(document.shownPath));
    const { content: fresh, problems } = await readMarkdown(document.path, text);
    const content = this.#withLastGood(key, await this.#described(index, document.path, fresh));
    // A text that changed or was denied while it was read must not stay in the cache if that was already
    // reported.
    if (policy === this.#policy && index.isCurrent(document.path, info))
      this.#texts.set(key, content, text.length * 2);
    this.#report(document.shownPath, problems.join(' '));
    return Result.ok(content);
  }

  async #described(index: CategoryIndex, path: string, content: DocumentContent): Promise<DocumentContent> {
    const beside = metadataBeside(path);
    if (beside === undefined || !index.isFile(beside)) return content;
    const range = { offset: 0, length: MAX_METADATA_BYTES };
    const read = await index.folder.files.read(index.folder.absolute(beside), range);
    const text = read.success ? this.#decode(read.value.bytes) : undefined;
    return text === undefined ? content : withMetadata(content, text);
  }

  async refresh(category: Category, path: string): Promise<LibraryDocument | undefined> {
    const open = this.#opened(category);
    await open.loaded;
    await this.#look(open, path);
    return open.index.documents.get(path);
  }

  problems(): readonly DocumentProblem[] {
    return [...this.#problems].map(([path, problem]) => ({ path, problem }));
  }

  onChange(listener: (change: DocumentChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#forget();
    this.#listeners.clear();
    for (const { watch, poll } of this.#open.values()) {
      clearInterval(poll);
      watch.close();
    }
    this.#open.clear();
  }

  #opened(category: Category): OpenCategory {
    const known = this.#open.get(category.name);
    if (known !== undefined) return known;
    const index = new CategoryIndex(new CategoryFolder(category, this.workspace, this.tools));
    const watch = new FolderWatch(index.folder.root, {
      changed: (path) => void this.#look(open, path),
      unclear: () => void this.#scan(open),
      failed: (error) => this.#pollInstead(open, error),
    });
    const open: OpenCategory = {
      index,
      watch,
      scanned: false,
      loaded: Promise.resolve(Result.ok(undefined)),
    };
    // Watched before it is read, so that no change in between is missed.
    watch.follow(new Set());
    open.loaded = this.#scan(open);
    this.#open.set(category.name, open);
    return open;
  }

  async #scan(open: OpenCategory): Promise<Result<void, FileError>> {
    const { index, watch } = open;
    const scanned = await index.scan();
    if (!scanned.success) return scanned;
    const { changes, leftOut, folders } = scanned.value;
    for (const [path, reason] of leftOut) this.#report(index.folder.shown(path), reason);
    if (open.scanned) this.#announce(changes);
    open.scanned = true;
    // Changes between reading and watching would be missed.
    if (watch.follow(folders)) void this.#scan(open);
    return Result.ok(undefined);
  }

  /** Another policy may hide or show documents: both are changes like any other. */
  #under(policy: PolicySnapshot): void {
    if (policy.hash === this.#policy.hash) return;
    this.#policy = policy;
    this.#texts.clear();
    for (const open of this.#open.values()) open.loaded = this.#scan(open);
  }

  async #look(open: OpenCategory, path: string): Promise<void> {
    const { changes, error } = await open.index.look(path);
    if (error !== undefined) {
      this.#report(open.index.folder.shown(path), error.kind === 'not-found' ? '' : error.message);
    }
    this.#announce(changes);
    const described = describedBy(path, open.index.documents.keys());
    const document = described === undefined ? undefined : open.index.documents.get(described);
    if (document !== undefined) this.#announce([{ kind: 'changed', document }]);
    // Neither a document nor a former one: a directory appeared or disappeared with its content.
    if (changes.length === 0 && !open.index.isFile(path)) await this.#scan(open);
  }

  #pollInstead(open: OpenCategory, error: unknown): void {
    if (open.poll !== undefined) return;
    const { name } = open.index.folder.category;
    this.logger.warn(`The folder of the category ${name} cannot be watched; it is looked at every second`, {
      error,
    });
    open.poll = setInterval(() => void this.#scan(open), POLL_MS).unref();
  }

  #announce(changes: readonly DocumentChange[]): void {
    for (const change of changes) {
      const { category, path, shownPath } = change.document;
      this.#texts.delete(keyOf(category, path));
      if (change.kind === 'removed') {
        this.#report(shownPath, '');
        this.#lastGood.delete(keyOf(category, path));
      }
      for (const listener of this.#listeners) listener(change);
    }
  }

  #withLastGood(key: string, content: DocumentContent): DocumentContent {
    if (content.frontMatterProblem === undefined) {
      if (Object.keys(content.frontMatter).length > 0) this.#lastGood.set(key, content.frontMatter);
      else this.#lastGood.delete(key);
      return content;
    }
    const frontMatter = this.#lastGood.get(key);
    return frontMatter === undefined ? content : { ...content, frontMatter };
  }

  #decode(bytes: Uint8Array): string | undefined {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      // Not UTF-8: the caller reports it with the name of the file.
      return undefined;
    }
  }

  #failed(document: LibraryDocument, error: FileError): Result<DocumentContent, FileError> {
    this.#report(document.shownPath, error.message);
    return Result.failure(error, 'FileError');
  }

  /** An empty text withdraws the report. */
  #report(path: string, problem: string): void {
    if (problem === '') this.#problems.delete(path);
    else if (this.#problems.get(path) !== problem) {
      this.#problems.set(path, problem);
      this.logger.warn('A document was left out or read only in part', { path, problem });
    }
  }
}

function keyOf(category: Category, path: string): string {
  return `${category.name}/${path}`;
}
