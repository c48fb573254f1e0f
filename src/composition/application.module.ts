import { ContainerModule } from 'inversify';
import { TailAuditHandler } from '../application/audit/tail-audit.js';
import { VerifyAuditHandler } from '../application/audit/verify-audit.js';
import { CallJournal } from '../application/call/pipeline/call-journal.js';
import { CallPipeline } from '../application/call/pipeline/call-pipeline.js';
import { ExecuteToolHandler } from '../application/call/pipeline/execute-tool.js';
import { JudgeCallHandler } from '../application/call/pipeline/judge-call.js';
import { ResolveTool } from '../application/call/pipeline/resolve-tool.js';
import { ResourceJournal } from '../application/call/pipeline/resource-journal.js';
import { RunTool } from '../application/call/pipeline/run-tool.js';
import { ToolImplementations } from '../application/call/pipeline/tool-implementations.js';
import { BackgroundProcesses } from '../application/command/background/background-processes.js';
import { ListProcessesHandler } from '../application/command/background/list-processes.js';
import { ReadProcessOutputHandler } from '../application/command/background/read-process-output.js';
import { StopProcessHandler } from '../application/command/background/stop-process.js';
import { WriteProcessInputHandler } from '../application/command/background/write-process-input.js';
import { ChooseSandbox } from '../application/command/choose-sandbox.js';
import { CommandConnections } from '../application/command/command-connections.js';
import { ExecuteCommandLineHandler } from '../application/command/execute-command-line.js';
import { GetSandboxStatusHandler } from '../application/command/get-sandbox-status.js';
import { GetSystemInfoHandler } from '../application/command/get-system-info.js';
import { PrepareCommands } from '../application/command/prepare-commands.js';
import { RunningCommands } from '../application/command/running-commands.js';
import { SessionCommands } from '../application/command/session-commands.js';
import { SuperviseCommand } from '../application/command/supervise-command.js';
import { DescribeFileHandler } from '../application/file/describe-file.js';
import { EditFileHandler } from '../application/file/edit-file.js';
import { FileCalls } from '../application/file/file-call.js';
import { FindEntriesHandler } from '../application/file/find-entries.js';
import { GuardedAccess } from '../application/file/guarded-access.js';
import { HardLinkGuard } from '../application/file/hard-link-guard.js';
import { ReachedPaths } from '../application/file/reached-paths.js';
import { ReadFileHandler } from '../application/file/read-file.js';
import { ReadFilesHandler } from '../application/file/read-files.js';
import { SearchContentHandler } from '../application/file/search-content.js';
import { WriteFileHandler } from '../application/file/write-file.js';
import { GetFlagHandler } from '../application/flag/get-flag.js';
import { ListFlagsHandler } from '../application/flag/list-flags.js';
import { SetFlagHandler } from '../application/flag/set-flag.js';
import { ToolSwitchboard } from '../application/flag/tool-switchboard.js';
import { CheckAlignmentHandler } from '../application/knowledge/check-alignment.js';
import { CheckedRules } from '../application/knowledge/checked-rules.js';
import { FindDocument } from '../application/knowledge/find-document.js';
import { GetContentHandler } from '../application/knowledge/get-content.js';
import { GetProjectConfigHandler } from '../application/knowledge/get-project-config.js';
import { ProjectDecisions } from '../application/knowledge/project-decisions.js';
import { SearchDocumentsHandler } from '../application/knowledge/search-documents.js';
import { SelectDocuments } from '../application/knowledge/select-documents.js';
import { ValidatePatternHandler } from '../application/knowledge/validate-pattern.js';
import { WriteDocumentHandler } from '../application/knowledge/write-document.js';
import { ConverseHandler } from '../application/model/converse.js';
import { TokenAccount } from '../application/model/token-account.js';
import { ApprovedCalls } from '../application/permission/approved-calls.js';
import { AuthoriseCall } from '../application/permission/authorise-call.js';
import { CountDeletion } from '../application/permission/count-deletion.js';
import { elicitConsent } from '../application/permission/elicit-consent.js';
import { ExplainPermissionHandler } from '../application/permission/explain-permission.js';
import { ObtainConsentHandler } from '../application/permission/obtain-consent.js';
import { OpenQuestions } from '../application/permission/open-questions.js';
import { ConsentPrompt } from '../application/ports/permission/consent-prompt.js';
import { ExpandTemplate } from '../application/prompt/expand-template.js';
import { PromptCatalogue } from '../application/prompt/prompt-catalogue.js';
import { PromptReferences } from '../application/prompt/prompt-references.js';
import { PromptTools } from '../application/prompt/prompt-tools.js';
import { ResourceCatalogue } from '../application/resource/resource-catalogue.js';
import { CallerSessions } from '../application/session/caller-sessions.js';
import { ExecuteInWorkflow } from '../application/session/execute-in-workflow.js';
import { Sessions } from '../application/session/sessions.js';
import { WorkflowContexts } from '../application/session/workflow-contexts.js';
import { GetToolStatsHandler } from '../application/tool/get-tool-stats.js';
import { ListToolsHandler } from '../application/tool/list-tools.js';
import { ToolDefinitions } from '../application/tool/tool-definitions.js';
import { ToolVisibility } from '../application/tool/tool-visibility.js';
import { Toolsets } from '../application/tool/toolsets.js';

const FILE_HANDLERS = [
  CountDeletion,
  GuardedAccess,
  HardLinkGuard,
  DescribeFileHandler,
  EditFileHandler,
  FileCalls,
  FindEntriesHandler,
  ReadFileHandler,
  ReachedPaths,
  Toolsets,
  ReadFilesHandler,
  SearchContentHandler,
  WriteFileHandler,
] as const;

const PROMPT_HANDLERS = [ExpandTemplate, PromptCatalogue, PromptReferences, PromptTools] as const;

const SESSION_HANDLERS = [CallerSessions, ExecuteInWorkflow, Sessions, WorkflowContexts] as const;

const COMMAND_HANDLERS = [
  CommandConnections,
  SuperviseCommand,
  BackgroundProcesses,
  ChooseSandbox,
  GetSandboxStatusHandler,
  GetSystemInfoHandler,
  ListProcessesHandler,
  PrepareCommands,
  ReadProcessOutputHandler,
  ExecuteCommandLineHandler,
  RunningCommands,
  SessionCommands,
  StopProcessHandler,
  WriteProcessInputHandler,
] as const;

/** The use cases. */
export function applicationModule(): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(ConsentPrompt).toConstantValue(elicitConsent);
    bind(OpenQuestions).toSelf().inSingletonScope();
    bind(ApprovedCalls).toSelf().inSingletonScope();
    bind(ObtainConsentHandler).toSelf().inSingletonScope();
    bind(AuthoriseCall).toSelf().inSingletonScope();
    bind(VerifyAuditHandler).toSelf().inSingletonScope();
    bind(TailAuditHandler).toSelf().inSingletonScope();
    bind(ExplainPermissionHandler).toSelf().inSingletonScope();
    bind(ResolveTool).toSelf().inSingletonScope();
    bind(RunTool).toSelf().inSingletonScope();
    bind(CallPipeline).toSelf().inSingletonScope();
    bind(CallJournal).toSelf().inSingletonScope();
    bind(ExecuteToolHandler).toSelf().inSingletonScope();
    bind(JudgeCallHandler).toSelf().inSingletonScope();
    bind(GetToolStatsHandler).toSelf().inSingletonScope();
    bind(CheckAlignmentHandler).toSelf().inSingletonScope();
    bind(FindDocument).toSelf().inSingletonScope();
    bind(ProjectDecisions).toSelf().inSingletonScope();
    bind(CheckedRules).toSelf().inSingletonScope();
    bind(ValidatePatternHandler).toSelf().inSingletonScope();
    bind(SelectDocuments).toSelf().inSingletonScope();
    bind(GetContentHandler).toSelf().inSingletonScope();
    bind(WriteDocumentHandler).toSelf().inSingletonScope();
    bind(SearchDocumentsHandler).toSelf().inSingletonScope();
    bind(GetProjectConfigHandler).toSelf().inSingletonScope();
    bind(ToolImplementations).toSelf().inSingletonScope();
    bind(ToolDefinitions).toSelf().inSingletonScope();
    bind(ToolVisibility).toSelf().inSingletonScope();
    bind(ResourceJournal).toSelf().inSingletonScope();
    bind(ResourceCatalogue).toSelf().inSingletonScope();
    bind(ListToolsHandler).toSelf().inSingletonScope();
    bind(SetFlagHandler).toSelf().inSingletonScope();
    bind(GetFlagHandler).toSelf().inSingletonScope();
    bind(ListFlagsHandler).toSelf().inSingletonScope();
    bind(ToolSwitchboard).toSelf().inSingletonScope();
    bind(TokenAccount).toSelf().inSingletonScope();
    bind(ConverseHandler).toSelf().inSingletonScope();
    for (const handler of [...COMMAND_HANDLERS, ...FILE_HANDLERS, ...PROMPT_HANDLERS, ...SESSION_HANDLERS])
      bind<unknown>(handler).to(handler).inSingletonScope();
  });
}
