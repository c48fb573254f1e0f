/** The types that the signatures of ports name, for those who bind an adapter of their own. */
export type { CallScope } from './application/call/call-scope.js';
export type { Cancellation } from './application/call/cancellation.js';
export type { CallChannel } from './application/call/tool-context.js';
export type { AuditFileLine, AuditFiles, AuditSegmentFile } from './application/ports/audit/audit-reader.js';
export type {
  CommandRequest,
  CommandSideEffects,
  FileLeftBehind,
  FinishedCommand,
  GitMove,
  MovedHead,
  PreparedCommand,
  QuarantinedFile,
} from './application/ports/command/command-runner.js';
export type {
  CommandInput,
  CommandJob,
  CommandOutcome,
  LiveCommand,
  OutputLine,
  SandboxBind,
  SandboxJob,
  SandboxKind,
  SandboxLimits,
  SandboxProgram,
  SandboxStatus,
  SandboxView,
  ViewChange,
} from './application/ports/command/command-sandbox.js';
export type { HostConnection, HostNetwork } from './application/ports/command/host-network.js';
export type { OutputSpool, SpoolRequest } from './application/ports/command/output-store.js';
export type { LocatedProgram } from './application/ports/command/program-locator.js';
export type {
  ContentMatch,
  ContentPage,
  ContentQuery,
  QueryError,
  SearchAccess,
} from './application/ports/file/content-search.js';
export type { ObjectNumbers } from './application/ports/file/denied-objects.js';
export type { FilePage, FileQuery, PageOptions } from './application/ports/file/file-walker.js';
export type { FileWork, StopSignal } from './application/ports/file/file-work.js';
export type { ScannedInodes } from './application/ports/file/inode-scan.js';
export type {
  ByteRange,
  ChangedTree,
  EntryFilter,
  EntryKind,
  EntryTimes,
  FileAccess,
  FileInfo,
  InodeIdentity,
  NewContent,
  OpenedFile,
  PathGuard,
  ReadBytes,
  WalkEntry,
  WalkOptions,
  WriteOptions,
  Written,
} from './application/ports/file/safe-file-system.js';
export type { DecodedText, MediaProbe } from './application/ports/file/text-formats.js';
export type {
  DocumentChange,
  DocumentContent,
  DocumentProblem,
} from './application/ports/knowledge/document-library.js';
export type { SearchAnswer, SearchFilter, SearchHit } from './application/ports/knowledge/document-search.js';
export type { ChangedMeanwhile } from './application/ports/knowledge/document-writer.js';
export type { PolicySnapshot, RedactionSettings } from './application/ports/permission/policy-source.js';
export type { TrustStanding } from './application/ports/permission/trust-store.js';
export type { DoctorFinding } from './application/ports/system/doctor-check.js';
export type { Machine } from './application/ports/system/machine-facts.js';
export type { TracedOutcome, TracedRequest } from './application/ports/system/request-tracer.js';
export type { ChainSeal } from './domain/audit/audit-chain.js';
export type { AuditHead } from './domain/audit/audit-head-state.js';
export type { TextDigest } from './domain/canonical-json.js';
export type { CommandPlan, CommandRefusal } from './domain/command/command-plan.js';
export type { ShellMode } from './domain/command/shell-mode.js';
export type { FileError } from './domain/file/file-error.js';
export type { LandedFile } from './domain/file/landed-file.js';
export type { FileProblem } from './domain/file-problem.js';
export type { JsonValue } from './domain/json-value.js';
export type { Category, CategoryKind } from './domain/knowledge/document/category.js';
export type { DocumentOutline, Section } from './domain/knowledge/document/document-outline.js';
export type { PatternRule } from './domain/knowledge/pattern/pattern-rule.js';
export type { RuleHit } from './domain/knowledge/pattern/rule-hit.js';
export type { Spending } from './domain/model/token-spending.js';
export type { ConsentSubject } from './domain/permission/consent/consent-grant.js';
export type { ConsentWay } from './domain/permission/consent/consent-way.js';
export type { HostAccess } from './domain/permission/network/host-access.js';
export type { FolderChange } from './domain/permission/path/folder-changes.js';
export type { NamedFolder } from './domain/permission/path/normal-path.js';
export type { PathPattern } from './domain/permission/path/path-pattern.js';
export type { SandboxProfile } from './domain/permission/policy/obligations.js';
export type { PathView } from './domain/permission/policy/path-view.js';
export type { PermissionPolicy } from './domain/permission/policy/permission-policy.js';
export type { Prompt } from './domain/prompt/prompt.js';
export type { ResourceContents, ResourceEntry, ResourceTemplate } from './domain/resource/resource.js';
export type { WorkflowContext } from './domain/session/workflow-context.js';
export type { ToolName } from './domain/tool/tool-name.js';
export type { StatsSnapshot } from './domain/tool/tool-stats.js';
