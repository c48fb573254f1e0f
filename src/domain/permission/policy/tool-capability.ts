/** What a tool must be allowed beside its own entry before any call of it can pass. */
export type ToolCapability = 'read' | 'write' | 'command';

/** The built-in profiles, each with all that the one before it has. */
export const PROFILES = ['readonly', 'baseline', 'workspace'] as const;

/** What the built-in profiles say about a tool. */
export interface ToolProfile {
  /** The narrowest one that has the tool. */
  readonly from: (typeof PROFILES)[number];
  /** It may use the files of the workspace; if it begins with `workspace`, without those that may hold secrets. */
  readonly paths?: boolean;
  readonly consent?: 'ask';
  /** Any program, in any text of the shell, held by the sandbox. */
  readonly commands?: 'any';
}

/** A tool as far as a policy knows it, from the tool's own definition. */
export interface KnownTool {
  readonly name: string;
  /** Empty: the tool needs nothing but its entry. */
  readonly capabilities: readonly ToolCapability[];
  /** False: an embedder's, part of every built-in profile. */
  readonly builtin: boolean;
  /** Of a built-in tool; absent: no profile has it. */
  readonly profile?: ToolProfile;
}
