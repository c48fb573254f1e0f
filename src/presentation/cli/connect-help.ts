/** How to connect a client, for people who started the command by hand. */
export function connectHelp(command: string, args: readonly string[]): string {
  const server = JSON.stringify({ command, args });
  return [
    'Castellan is an MCP server: a client starts it and talks to it over standard input and output.',
    '',
    `Claude Code      ${['claude mcp add castellan --', command, ...args].join(' ')}`,
    `Claude Desktop   {"mcpServers":{"castellan":${server}}}   in claude_desktop_config.json`,
    `Cursor           {"mcpServers":{"castellan":${server}}}   in .cursor/mcp.json`,
    `VS Code          {"servers":{"castellan":${server}}}   in .vscode/mcp.json`,
    `Gemini CLI       {"mcpServers":{"castellan":${server}}}   in .gemini/settings.json`,
  ].join('\n');
}
