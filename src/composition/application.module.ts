import { ContainerModule } from 'inversify';
import { TailAuditHandler } from '../application/audit/tail-audit.js';
import { VerifyAuditHandler } from '../application/audit/verify-audit.js';
import { GetFlagHandler } from '../application/flag/get-flag.js';
import { ListFlagsHandler } from '../application/flag/list-flags.js';
import { SetFlagHandler } from '../application/flag/set-flag.js';
import { ToolSwitchboard } from '../application/flag/tool-switchboard.js';
import { CheckAlignmentHandler } from '../application/knowledge/check-alignment.js';
import { CheckedRules } from '../application/knowledge/checked-rules.js';
import { GetContentHandler } from '../application/knowledge/get-content.js';
import { GetProjectConfigHandler } from '../application/knowledge/get-project-config.js';
import { SearchDocumentsHandler } from '../application/knowledge/search-documents.js';
import { SelectDocuments } from '../application/knowledge/select-documents.js';
import { ValidatePatternHandler } from '../application/knowledge/validate-pattern.js';
import { WriteDocumentHandler } from '../application/knowledge/write-document.js';
import { ConverseHandler } from '../application/model/converse.js';
import { TokenAccount } from '../application/model/token-account.js';
import { AuthoriseCall } from '../application/permission/authorise-call.js';
import { ExplainPermissionHandler } from '../application/permission/explain-permission.js';
import { ObtainConsentHandler } from '../application/permission/obtain-consent.js';
import { ResourceCatalogue } from '../application/resource/resource-catalogue.js';
import { CallJournal } from '../application/tool/call-journal.js';
import { ExecuteToolHandler } from '../application/tool/execute-tool.js';
import { FindTool } from '../application/tool/find-tool.js';
import { GetToolStatsHandler } from '../application/tool/get-tool-stats.js';
import { ListToolsHandler } from '../application/tool/list-tools.js';
import { RunTool } from '../application/tool/run-tool.js';

/** The use cases. */
export function applicationModule(): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(ObtainConsentHandler).toSelf().inSingletonScope();
    bind(AuthoriseCall).toSelf().inSingletonScope();
    bind(VerifyAuditHandler).toSelf().inSingletonScope();
    bind(TailAuditHandler).toSelf().inSingletonScope();
    bind(ExplainPermissionHandler).toSelf().inSingletonScope();
    bind(FindTool).toSelf().inSingletonScope();
    bind(RunTool).toSelf().inSingletonScope();
    bind(CallJournal).toSelf().inSingletonScope();
    bind(ExecuteToolHandler).toSelf().inSingletonScope();
    bind(GetToolStatsHandler).toSelf().inSingletonScope();
    bind(CheckAlignmentHandler).toSelf().inSingletonScope();
    bind(CheckedRules).toSelf().inSingletonScope();
    bind(ValidatePatternHandler).toSelf().inSingletonScope();
    bind(SelectDocuments).toSelf().inSingletonScope();
    bind(GetContentHandler).toSelf().inSingletonScope();
    bind(WriteDocumentHandler).toSelf().inSingletonScope();
    bind(SearchDocumentsHandler).toSelf().inSingletonScope();
    bind(GetProjectConfigHandler).toSelf().inSingletonScope();
    bind(ResourceCatalogue).toSelf().inSingletonScope();
    bind(ListToolsHandler).toSelf().inSingletonScope();
    bind(SetFlagHandler).toSelf().inSingletonScope();
    bind(GetFlagHandler).toSelf().inSingletonScope();
    bind(ListFlagsHandler).toSelf().inSingletonScope();
    bind(ToolSwitchboard).toSelf().inSingletonScope();
    bind(TokenAccount).toSelf().inSingletonScope();
    bind(ConverseHandler).toSelf().inSingletonScope();
  });
}
