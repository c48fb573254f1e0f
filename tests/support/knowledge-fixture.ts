import { ListFlagsHandler } from '../../src/application/flag/list-flags.js';
import { CheckAlignmentHandler } from '../../src/application/knowledge/check-alignment.js';
import { FindDocument } from '../../src/application/knowledge/find-document.js';
import { GetContentHandler } from '../../src/application/knowledge/get-content.js';
import { GetProjectConfigHandler } from '../../src/application/knowledge/get-project-config.js';
import type { KnowledgeSettings } from '../../src/application/knowledge/knowledge-settings.js';
import { ProjectDecisions } from '../../src/application/knowledge/project-decisions.js';
import { SearchDocumentsHandler } from '../../src/application/knowledge/search-documents.js';
import { SelectDocuments } from '../../src/application/knowledge/select-documents.js';
import { WriteDocumentHandler } from '../../src/application/knowledge/write-document.js';
import type { PolicySource } from '../../src/application/ports/permission/policy-source.js';
import type { Category, Collections } from '../../src/domain/knowledge/document/category.js';
import { impliedKind } from '../../src/domain/knowledge/document/category.js';
import { GuardedFileSystem } from '../../src/infrastructure/file/guarded-file-system.js';
import { DocumentSearchIndex } from '../../src/infrastructure/knowledge/document-search-index.js';
import { FileDocumentLibrary } from '../../src/infrastructure/knowledge/file-document-library.js';
import { FileDocumentWriter } from '../../src/infrastructure/knowledge/file-document-writer.js';
import { ImmediateTurns } from '../../src/infrastructure/system/immediate-turns.js';
import { InMemoryFlagStore } from '../../src/testing/in-memory-flag-store.js';
import { OpenPolicy } from '../../src/testing/open-policy.js';
import { RecordingLogger } from '../../src/testing/recording-logger.js';
import { folderTools } from './folder-tools.js';
import { TemporaryDisk } from './temporary-disk.js';

export function category(name: string, parts: Partial<Category> = {}): Category {
  return {
    name,
    dir: `docs/${name}`,
    patterns: ['**/*.md'],
    description: '',
    kind: impliedKind(name),
    ...parts,
  };
}

/** Documents on a real disk, and everything that works with them. */
export class KnowledgeFixture {
  readonly disk = new TemporaryDisk();
  readonly logger = new RecordingLogger();
  readonly files = new GuardedFileSystem(this.disk.state);
  readonly settings: KnowledgeSettings;
  readonly library: FileDocumentLibrary;
  readonly search: DocumentSearchIndex;
  readonly content: GetContentHandler;
  readonly write: WriteDocumentHandler;
  readonly find: SearchDocumentsHandler;
  readonly config: GetProjectConfigHandler;
  readonly alignment: CheckAlignmentHandler;
  readonly decisions: ProjectDecisions;
  readonly address: FindDocument;
  readonly turns = new ImmediateTurns();
  readonly flags = new InMemoryFlagStore();
  now = 0;

  constructor(
    categories: readonly Category[],
    collections: Collections = {},
    projects: KnowledgeSettings['projects'] = {},
    readonly policies: PolicySource = new OpenPolicy(),
  ) {
    const { root } = this.disk;
    this.settings = { workspace: root, project: { name: 'demo' }, categories, collections, projects };
    const tools = folderTools(this.disk, this.policies, this.files);
    this.library = new FileDocumentLibrary(root, tools, this.logger);
    this.search = new DocumentSearchIndex(this.library, categories, this.turns);
    this.decisions = new ProjectDecisions(this.library, this.settings, this.turns);
    this.address = new FindDocument(this.library, this.settings);
    this.alignment = new CheckAlignmentHandler(this.search, this.decisions);
    this.content = new GetContentHandler(
      new SelectDocuments(this.library, this.settings),
      this.library,
      this.address,
      { tokens: 8_000 },
    );
    this.write = new WriteDocumentHandler(new FileDocumentWriter(root, tools), this.library, this.settings);
    const clock = { now: () => this.now, elapsed: () => this.now };
    this.find = new SearchDocumentsHandler(this.search, this.library, clock, this.settings, this.decisions);
    this.config = new GetProjectConfigHandler(this.settings, this.library, new ListFlagsHandler(this.flags));
  }

  put(path: string, content: string | Uint8Array): void {
    this.disk.file(`${this.disk.root}/docs/${path}`, content);
  }

  async dispose(): Promise<void> {
    await this.library.close();
    this.disk.dispose();
  }
}
