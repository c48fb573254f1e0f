import type {
  DocumentChange,
  DocumentLibrary,
  LibraryDocument,
} from '../../application/ports/knowledge/document-library.js';
import type {
  DocumentSearch,
  SearchAnswer,
  SearchFilter,
  SearchHit,
} from '../../application/ports/knowledge/document-search.js';
import { TURN_CHARACTERS, type Turns } from '../../application/ports/system/turns.js';
import type { Category } from '../../domain/knowledge/document/category.js';
import { excerptOf } from '../../domain/knowledge/search/excerpt.js';
import { type IndexHit, InvertedIndex, type TermWorths } from './inverted-index.js';
import { keywordsOf } from './markdown-reader.js';
import { TermStream } from './term-stream.js';

/** A longer document is read in several turns. */
const PIECE_CHARACTERS = TURN_CHARACTERS / 2;

/** The index over a library: built at the first search, then changed document by document. */
export class DocumentSearchIndex implements DocumentSearch {
  readonly #index = new InvertedIndex<string>();
  readonly #documents = new Map<string, LibraryDocument>();
  #work: Promise<void> | undefined;
  #generation = 0;

  constructor(
    private readonly library: DocumentLibrary,
    private readonly categories: readonly Category[],
    private readonly turns: Turns,
  ) {}

  get generation(): number {
    return this.#generation;
  }

  async search(query: string, filter: SearchFilter, limit: number): Promise<SearchAnswer> {
    this.#work ??= this.#load();
    await this.#work;
    const accepts = (uri: string) => isWanted(this.#documents.get(uri), filter);
    const { hits, total, worths } = this.#index.search(query, limit, accepts);
    const described = await Promise.all(hits.map((hit) => this.#describe(hit, worths)));
    return { hits: described.filter((hit) => hit !== undefined), total };
  }

  async #describe(hit: IndexHit<string>, worths: TermWorths): Promise<SearchHit | undefined> {
    const document = this.#documents.get(hit.key);
    const content = document && (await this.library.read(document));
    // Gone since it was indexed: its notification is on the way.
    if (document === undefined || !content?.success) return undefined;
    const { text, title, outline } = content.value;
    const section = outline.sections[hit.section];
    const body = section === undefined ? text : text.slice(section.start, section.end);
    const excerpt = excerptOf(body, (sentence) => this.#index.worthOf(sentence, worths));
    return { document, title, score: hit.score, excerpt, ...(section && { section }) };
  }

  async #load(): Promise<void> {
    this.library.onChange((change) => this.#changed(change));
    for (const category of this.categories) {
      const listed = await this.library.list(category);
      for (const document of listed.success ? listed.value : []) {
        await this.#put(document);
      }
    }
  }

  #changed({ kind, document }: DocumentChange): void {
    this.#generation += 1;
    this.#work = this.#work?.then(() => (kind === 'removed' ? this.#remove(document) : this.#put(document)));
  }

  async #put(document: LibraryDocument): Promise<void> {
    if (document.uri === undefined) return;
    const content = await this.library.read(document);
    // The library has reported why.
    if (!content.success) return this.#remove(document);
    const { title, text, outline } = content.value;
    const searchable = { title, keywords: keywordsOf(content.value), text, sections: outline.sections };
    const reading = TermStream.reading(searchable, this.#index.vocabulary, PIECE_CHARACTERS);
    let next = reading.next();
    for (; !next.done; next = reading.next()) await this.turns.take(next.value);
    this.#index.put(document.uri, next.value);
    this.#documents.set(document.uri, document);
  }

  #remove({ uri }: LibraryDocument): void {
    if (uri === undefined) return;
    this.#index.remove(uri);
    this.#documents.delete(uri);
  }
}

function isWanted(document: LibraryDocument | undefined, { kind, category, uris }: SearchFilter): boolean {
  if (document?.uri === undefined || uris?.has(document.uri) === false) return false;
  if (kind !== undefined && document.category.kind !== kind) return false;
  return category === undefined || document.category.name === category;
}
