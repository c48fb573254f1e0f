import { inject, injectable } from 'inversify';
import { FindDocument, sectionOf } from '../../application/knowledge/find-document.js';
import { KnowledgeSettings } from '../../application/knowledge/knowledge-settings.js';
import {
  type DocumentChange,
  DocumentLibrary,
  type LibraryDocument,
} from '../../application/ports/knowledge/document-library.js';
import { ResourceNotices } from '../../application/ports/resource/resource-notices.js';
import type { ResourceProvider } from '../../application/ports/resource/resource-provider.js';
import type { CategoryKind } from '../../domain/knowledge/document/category.js';
import type { ResourceContents, ResourceEntry, ResourceTemplate } from '../../domain/resource/resource.js';
import { Result } from '../../domain/result.js';

const SCHEME = 'architecture://';
const TITLES: Readonly<Record<CategoryKind, string>> = {
  guidelines: 'A guideline of the project',
  patterns: 'A pattern of the project',
  adr: 'An architecture decision record, by its number',
  documents: 'A document of the project',
};

/** The documents of the project's categories, under addresses that outlive a change of folder. */
@injectable()
export class KnowledgeResources implements ResourceProvider {
  readonly tool = 'get_content';

  constructor(
    @inject(DocumentLibrary) private readonly library: DocumentLibrary,
    @inject(KnowledgeSettings) private readonly settings: KnowledgeSettings,
    @inject(ResourceNotices) private readonly notices: ResourceNotices,
    @inject(FindDocument) private readonly find: FindDocument,
  ) {
    library.onChange((change) => this.#announce(change));
  }

  async list(): Promise<readonly ResourceEntry[]> {
    return (await this.#documents()).flatMap(({ uri, path, size, modifiedMs }) =>
      uri === undefined
        ? []
        : [
            {
              uri,
              name: idOf(uri),
              mimeType: mimeOf(path),
              size,
              annotations: {
                audience: ['assistant', 'user'],
                lastModified: new Date(modifiedMs).toISOString(),
              },
            },
          ],
    );
  }

  /** The title stands in the document; only those that are shown are opened for it. */
  async describe(entry: ResourceEntry): Promise<ResourceEntry> {
    const found = await this.find.handle(entry.uri);
    const content = found?.success ? await this.library.read(found.value.document) : undefined;
    if (!content?.success) return entry;
    const { title, frontMatter } = content.value;
    const { description } = frontMatter;
    return { ...entry, title, ...(typeof description === 'string' && description !== '' && { description }) };
  }

  /** A folder is watched from the first look at it. */
  async follow(): Promise<void> {
    await this.#documents();
  }

  templates(): readonly ResourceTemplate[] {
    return this.#kinds().map((kind) => ({
      uriTemplate: templateOf(kind),
      name: kind,
      title: TITLES[kind],
      mimeType: 'text/markdown',
    }));
  }

  async read(uri: string): Promise<Result<ResourceContents> | undefined> {
    if (!uri.startsWith(SCHEME)) return undefined;
    const found = await this.find.handle(uri);
    if (found?.success === false) return Result.failure(found.error.message, 'NotFound');
    if (found === undefined || found.value.document.uri === undefined) {
      return Result.failure(
        `There is no document ${uri.slice(0, 200)}; resources/list shows the available ones.`,
        'NotFound',
      );
    }
    const { document, anchor } = found.value;
    const content = await this.library.read(document);
    if (!content.success) return Result.failure(content.error.message, 'NotFound');
    const text = sectionOf(content.value, anchor, document.shownPath);
    if (!text.success) return Result.failure(text.error, 'NotFound');
    return Result.ok({ uri, mimeType: mimeOf(document.path), text: text.value });
  }

  async complete(template: string, variable: string, typed: string): Promise<readonly string[]> {
    const kind = this.#kinds().find((each) => templateOf(each) === template);
    if (kind === undefined || variable !== 'id') return [];
    return (await this.#documents())
      .flatMap(({ uri, category }) => (uri !== undefined && category.kind === kind ? [idOf(uri)] : []))
      .filter((id) => id.toLowerCase().startsWith(typed.toLowerCase()))
      .sort();
  }

  #kinds(): readonly CategoryKind[] {
    return [...new Set(this.settings.categories.map(({ kind }) => kind))];
  }

  async #documents(): Promise<readonly LibraryDocument[]> {
    const lists = await Promise.all(this.settings.categories.map((category) => this.library.list(category)));
    return lists.flatMap((list) => (list.success ? list.value : []));
  }

  #announce({ kind, document: { uri } }: DocumentChange): void {
    if (uri === undefined) return;
    this.notices.publish({ kind: 'updated', uri });
    if (kind !== 'changed') this.notices.publish({ kind: 'list-changed' });
  }
}

function templateOf(kind: CategoryKind): string {
  return `${SCHEME}${kind}/{id}`;
}

function idOf(uri: string): string {
  return decodeURIComponent(uri.slice(uri.indexOf('/', SCHEME.length) + 1));
}

function mimeOf(path: string): string {
  return /\.(?:md|markdown)$/i.test(path) ? 'text/markdown' : 'text/plain';
}
