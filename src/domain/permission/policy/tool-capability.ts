/** What a tool must be allowed in addition to its own entry before any call can pass. */
export type ToolCapability = 'read' | 'write' | 'command';

/** The part of a tool's definition that a policy uses. */
export interface KnownTool {
  readonly name: string;
  /** Empty if the tool needs only its entry. */
  readonly capabilities: readonly ToolCapability[];
  /** False for a tool of an embedder, which is part of every built-in profile. */
  readonly builtin: boolean;
}
