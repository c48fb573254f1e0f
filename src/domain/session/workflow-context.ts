/** What a prompt began and the tools called for it have found; lives as long as the process at most. */
export interface WorkflowContext {
  /** `wf_` and an id nobody can guess. */
  readonly id: string;
  readonly sessionId: string;
  readonly callerId: string;
  readonly promptName: string;
  readonly promptArgs: Readonly<Record<string, string>>;
  /** The latest answer of each tool, by the tool's undecorated name. */
  readonly toolResults: ReadonlyMap<string, unknown>;
  readonly createdAt: number;
}
