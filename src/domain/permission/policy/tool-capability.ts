/** What a tool must be allowed in addition to its own entry before any call can pass. */
export type ToolCapability = 'read' | 'write' | 'command';

/** The built-in profiles; each includes the one before it. */
export const PROFILES = ['readonly', 'baseline', 'workspace'] as const;

/** The entry of a tool in the built-in profiles. */
export interface ToolProfile {
  /** The first profile that has the tool. */
  readonly from: (typeof PROFILES)[number];
  /** It may use the files of the workspace; if it begins with `workspace`, without those that may hold secrets. */
  readonly paths?: boolean;
  readonly consent?: 'ask';
  /** Any program and any shell script, contained by the sandbox. */
  readonly commands?: 'any';
}

/** The part of a tool's definition that a policy uses. */
export interface KnownTool {
  readonly name: string;
  /** Empty if the tool needs only its entry. */
  readonly capabilities: readonly ToolCapability[];
  /** False for a tool of an embedder, which is part of every built-in profile. */
  readonly builtin: boolean;
  /** Only for a built-in tool; undefined if no profile has it. */
  readonly profile?: ToolProfile;
}
