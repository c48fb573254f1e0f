/** What a tool must be allowed beside its own entry before any call of it can pass. */
export type ToolCapability = 'read' | 'write' | 'command';

/** A tool as far as a policy knows it, from the tool's own definition. */
export interface KnownTool {
  readonly name: string;
  /** Empty: the tool needs nothing but its entry. */
  readonly capabilities: readonly ToolCapability[];
  /** False: an embedder's, part of every built-in profile. */
  readonly builtin: boolean;
}
