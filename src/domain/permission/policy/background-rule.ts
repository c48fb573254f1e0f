/** Which processes may keep running after their call has returned. */
export interface BackgroundRule {
  /** The maximum number of processes per caller. */
  readonly max: number;
  /** Each process is stopped after this time. */
  readonly ttlMs: number;
}

export const DEFAULT_BACKGROUND: BackgroundRule = { max: 8, ttlMs: 4 * 60 * 60_000 };

const COMMANDS = 'execute_command';

/** Tools for processes that execute_command started, so its entry decides about them. */
export const PROCESS_TOOLS = ['process_output', 'process_input', 'stop_process', 'list_processes'] as const;

/** The tool whose entry decides about this one. */
export function ruledBy(tool: string): string {
  return (PROCESS_TOOLS as readonly string[]).includes(tool.toLowerCase().replaceAll('-', '_'))
    ? COMMANDS
    : tool;
}

export function stricterBackground(
  first: BackgroundRule | undefined,
  second: BackgroundRule | undefined,
): BackgroundRule | undefined {
  if (first === undefined || second === undefined) return undefined;
  return { max: Math.min(first.max, second.max), ttlMs: Math.min(first.ttlMs, second.ttlMs) };
}
