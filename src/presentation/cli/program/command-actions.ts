import type { ApproveOptions } from '../approve-command.js';
import type { AuditExportOptions, AuditPruneOptions } from '../audit-archive-command.js';
import type { AuditTailOptions } from '../audit-tail-command.js';
import type { GitWork } from '../git-command.js';
import type { InstallOptions } from '../install/install-options.js';
import type { KeyAddOptions } from '../key-add-command.js';
import type { TrustOptions } from '../trust-command.js';

/** The options of every command; each has a variable, which it overrides. */
export interface GlobalOptions {
  readonly workspace?: string;
  readonly policy?: string;
  readonly config?: string;
  readonly ceiling?: string;
  readonly toolsets?: string;
}

export interface JsonOption {
  readonly json?: boolean;
}

export interface ToolsOptions extends JsonOption {
  readonly tokens?: boolean;
  /** Only tools of this category. */
  readonly category?: string;
}

export interface ServeOptions {
  readonly http?: boolean;
  readonly host?: string;
  readonly port?: number;
}

export interface DocsOptions {
  readonly check?: boolean;
  /** Modules with an embedder's tools. */
  readonly tools?: readonly string[];
}

export type InitProfileName = 'readonly' | 'workspace';

/** The implementation of each command, supplied by the executable; a number is the exit code. */
export interface CommandActions {
  serve(where: GlobalOptions, options?: ServeOptions): Promise<number>;
  tokenRotate(): Promise<number>;
  keyAdd(where: GlobalOptions, name: string, options: KeyAddOptions): Promise<number>;
  connect(): Promise<number>;
  tools(where: GlobalOptions, options: ToolsOptions): Promise<number>;
  docs(where: GlobalOptions, options: DocsOptions): Promise<number>;
  call(where: GlobalOptions, tool: string, json: string, options: JsonOption): Promise<number>;
  approve(id: string | undefined, options: ApproveOptions): Promise<number>;
  demo(where: GlobalOptions): Promise<number>;
  init(
    where: GlobalOptions,
    options: { readonly profile: InitProfileName; readonly force?: boolean },
  ): Promise<number>;
  install(where: GlobalOptions, client: string, options: InstallOptions): Promise<number>;
  uninstall(where: GlobalOptions, client: string, options: InstallOptions): Promise<number>;
  /** Answers a client that asks before it uses its own tool. */
  hook(where: GlobalOptions, client: string): Promise<number>;
  trust(where: GlobalOptions, file: string | undefined, options: TrustOptions): Promise<number>;
  policyCheck(where: GlobalOptions, file: string | undefined, options: JsonOption): Promise<number>;
  policyExplain(where: GlobalOptions, tool: string, json: string, options: JsonOption): Promise<number>;
  auditVerify(file: string | undefined, options: JsonOption): Promise<number>;
  auditTail(file: string | undefined, options: AuditTailOptions): Promise<number>;
  /** What passes between the user's git folder and the one of commands. */
  git(where: GlobalOptions, work: GitWork, argument?: string): Promise<number>;
  auditExport(folder: string, options: AuditExportOptions): Promise<number>;
  auditPrune(options: AuditPruneOptions): Promise<number>;
  doctor(where: GlobalOptions, options: JsonOption): Promise<number>;
  /** Prints the completion script for a shell. */
  completion(shell: string): Promise<number>;
  /** The names by which tools can be called, for completion: fast, whatever the configuration. */
  toolNames(): Promise<readonly string[]>;
}
