/** The MCP clients whose settings we know how to change. */
export const MCP_CLIENTS = [
  'claude',
  'claude-desktop',
  'cursor',
  'vscode',
  'codex',
  'gemini',
  'opencode',
  'zed',
  'windsurf',
] as const;

export type McpClient = (typeof MCP_CLIENTS)[number];
