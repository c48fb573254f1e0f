/** The MCP clients whose settings we can change. */
export const MCP_CLIENTS = [
  'claude',
  'claude-desktop',
  'cursor',
  'vscode',
  'codex',
  'gemini',
  'opencode',
  'copilot',
  'zed',
  'windsurf',
] as const;

export type McpClient = (typeof MCP_CLIENTS)[number];

/** The clients that run a hook before they use a tool of their own, with a contract known to us. */
export const HOOK_CLIENTS = ['claude', 'codex', 'gemini', 'opencode', 'cursor', 'copilot'] as const;

export type HookClient = (typeof HOOK_CLIENTS)[number];

export function isHookClient(name: string): name is HookClient {
  return HOOK_CLIENTS.some((client) => client === name);
}
