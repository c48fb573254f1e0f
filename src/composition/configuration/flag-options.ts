import type { ToolSwitches } from '../../application/flag/tool-switches.js';

/** Where flags live and what they do. */
export interface FlagOptions {
  /** Shared by several machines instead of kept in files. */
  readonly redisUrl?: string;
  /** What the project is called in Redis; its folder where absent. */
  readonly project?: string;
  /** A JSON Schema for some flags, by name. */
  readonly schemas?: Readonly<Record<string, object>>;
  /** Tools that are there only while a flag is on, each to its flag. */
  readonly enabledBy?: ToolSwitches;
}
