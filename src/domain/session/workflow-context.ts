/** The arguments of a prompt and the results of tools called for it; lives as long as the process at most. */
export interface WorkflowContext {
  /** `wf_` and an unguessable id. */
  readonly id: string;
  readonly sessionId: string;
  readonly callerId: string;
  readonly promptName: string;
  readonly promptArgs: Readonly<Record<string, string>>;
  /** The latest result of each tool, by its plain name. */
  readonly toolResults: ReadonlyMap<string, unknown>;
  readonly createdAt: number;
}
