import { inject, injectable } from 'inversify';
import type { Category } from '../../domain/knowledge/document/category.js';
import { DocumentLibrary } from '../ports/knowledge/document-library.js';
import { Turns } from '../ports/system/turns.js';
import type { DecisionRecords, RecordDocument, UnderstoodRecords } from './decision-records.js';
import { KnowledgeSettings } from './knowledge-settings.js';

/** The current ADRs of the project. The parser is loaded on first use. */
@injectable()
export class ProjectDecisions {
  #records: Promise<DecisionRecords> | undefined;
  /** Cached until an ADR changes. */
  #known: Promise<UnderstoodRecords> | undefined;

  constructor(
    @inject(DocumentLibrary) private readonly library: DocumentLibrary,
    @inject(KnowledgeSettings) private readonly settings: KnowledgeSettings,
    @inject(Turns) private readonly turns: Turns,
  ) {
    library.onChange(({ document }) => {
      if (document.category.kind === 'adr') this.#known = undefined;
    });
  }

  get areThere(): boolean {
    return this.settings.categories.some(({ kind }) => kind === 'adr');
  }

  understood(): Promise<UnderstoodRecords> {
    const known = this.#known ?? this.#understand();
    this.#known = known;
    known.catch(() => {
      if (this.#known === known) this.#known = undefined;
    });
    return known;
  }

  async #understand(): Promise<UnderstoodRecords> {
    this.#records ??= import('./decision-records.js').then(
      (module) => new module.DecisionRecords(this.turns),
    );
    const records = await this.#records;
    const documents: RecordDocument[] = [];
    for (const category of this.settings.categories.filter(({ kind }) => kind === 'adr')) {
      documents.push(...(await this.#documents(category)));
    }
    return records.understand(documents);
  }

  async #documents(category: Category): Promise<readonly RecordDocument[]> {
    const listed = await this.library.list(category);
    const documents: RecordDocument[] = [];
    for (const document of listed.success ? listed.value : []) {
      if (document.uri === undefined) continue;
      const content = await this.library.read(document);
      if (!content.success) continue;
      const { uri, shownPath: path } = document;
      documents.push({ uri, path, log: logOf(category, document.path), content: content.value });
    }
    return documents;
  }
}

/**
 * A category may contain several logs, a directory each; an ADR in a directory of its own belongs to the log
 * around it.
 */
function logOf({ name }: Category, path: string): string {
  const folders = path.split('/').slice(0, -1);
  if (/\/(?:readme|index)\.md$/i.test(path)) folders.pop();
  return [name, ...folders].join('/');
}
