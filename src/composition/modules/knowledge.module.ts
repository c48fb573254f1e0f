import { basename } from 'node:path';
import { GuardedAccess } from '../../application/file/guarded-access.js';
import { CheckAlignmentHandler } from '../../application/knowledge/check-alignment.js';
import { CheckedRules } from '../../application/knowledge/checked-rules.js';
import { FindDocument } from '../../application/knowledge/find-document.js';
import { GetContentHandler } from '../../application/knowledge/get-content.js';
import { GetProjectConfigHandler } from '../../application/knowledge/get-project-config.js';
import { KnowledgeSettings } from '../../application/knowledge/knowledge-settings.js';
import { ProjectDecisions } from '../../application/knowledge/project-decisions.js';
import { SearchDocumentsHandler } from '../../application/knowledge/search-documents.js';
import { SelectDocuments } from '../../application/knowledge/select-documents.js';
import { SwitchedDocumentLibrary } from '../../application/knowledge/switched-document-library.js';
import { ValidatePatternHandler } from '../../application/knowledge/validate-pattern.js';
import { WriteDocumentHandler } from '../../application/knowledge/write-document.js';
import { SafeFileSystem } from '../../application/ports/file/safe-file-system.js';
import { FlagStore } from '../../application/ports/flag/flag-store.js';
import { DocumentLibrary } from '../../application/ports/knowledge/document-library.js';
import { DocumentSearch } from '../../application/ports/knowledge/document-search.js';
import { DocumentWriter } from '../../application/ports/knowledge/document-writer.js';
import { RuleChecker } from '../../application/ports/knowledge/rule-checker.js';
import { PolicySource } from '../../application/ports/permission/policy-source.js';
import { ResourceNotices } from '../../application/ports/resource/resource-notices.js';
import { ResourceProvider } from '../../application/ports/resource/resource-provider.js';
import { Logger } from '../../application/ports/system/logger.js';
import { Turns } from '../../application/ports/system/turns.js';
import { CoalescingResourceNotices } from '../../infrastructure/knowledge/coalescing-resource-notices.js';
import { CodeRuleChecker } from '../../infrastructure/knowledge/code-rule-checker.js';
import { DocumentSearchIndex } from '../../infrastructure/knowledge/document-search-index.js';
import { FileDocumentLibrary } from '../../infrastructure/knowledge/file-document-library.js';
import { FileDocumentWriter } from '../../infrastructure/knowledge/file-document-writer.js';
import { KnowledgeResources } from '../../presentation/resources/knowledge-resources.js';
import type { Configuration } from '../configuration/configuration.js';
import { bindStage } from '../server/lifecycle.js';
import { type Bind, bindSelves, type ServerParts } from './concept-module.js';

/** Documents: where they are, who reads, writes and finds them. Nothing is touched before it is asked for. */
export function knowledgeModule(bind: Bind, { configuration }: ServerParts): void {
  bind(KnowledgeSettings).toConstantValue(knowledgeOf(configuration));
  bind(ResourceNotices).to(CoalescingResourceNotices).inSingletonScope();
  bind(RuleChecker).toConstantValue(new CodeRuleChecker());
  bind(DocumentLibrary)
    .toResolvedValue(
      (settings, files, accesses, policies, logger, flags) => {
        const tools = { files, accesses, policies };
        const library = new FileDocumentLibrary(settings.workspace, tools, logger);
        const switched = settings.categories.some(({ enabledBy }) => enabledBy !== undefined);
        return switched ? new SwitchedDocumentLibrary(library, flags, logger) : library;
      },
      [KnowledgeSettings, SafeFileSystem, GuardedAccess, PolicySource, Logger, FlagStore],
    )
    .inSingletonScope();
  bind(DocumentWriter)
    .toResolvedValue(
      (settings, files, accesses, policies) =>
        new FileDocumentWriter(settings.workspace, { files, accesses, policies }),
      [KnowledgeSettings, SafeFileSystem, GuardedAccess, PolicySource],
    )
    .inSingletonScope();
  bind(DocumentSearch)
    .toResolvedValue(
      (library, settings, turns) => new DocumentSearchIndex(library, settings.categories, turns),
      [DocumentLibrary, KnowledgeSettings, Turns],
    )
    .inSingletonScope();
  bind(ResourceProvider).to(KnowledgeResources).inSingletonScope();
  bindSelves(bind, CheckAlignmentHandler, CheckedRules, FindDocument, GetContentHandler, ProjectDecisions);
  bindSelves(bind, GetProjectConfigHandler, SearchDocumentsHandler, SelectDocuments);
  bindSelves(bind, ValidatePatternHandler, WriteDocumentHandler);
  bindStage(bind, 'knowledge', { end: (server) => server.get(DocumentLibrary).close() });
}

function knowledgeOf({ settings, workspace }: Configuration): KnowledgeSettings {
  return {
    workspace,
    project: { name: settings.project.name ?? basename(workspace) },
    categories: Object.entries(settings.categories).map(([name, { description = '', ...rest }]) => ({
      name,
      description,
      ...rest,
    })),
    collections: settings.collections,
  };
}
