/** Clients that start servers in a folder of their own must be told the project's. */
const WORKSPACE = 'CASTELLAN_WORKSPACE';

/** What Cursor and VS Code replace by the folder that is open. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the clients' own placeholder
const OPEN_FOLDER = '${workspaceFolder}';

/** How to connect a client, for people who started the command by hand. */
export function connectHelp(
  command: string,
  args: readonly string[],
  workspace = '/path/to/your/project',
): string {
  const server = (folder?: string) =>
    JSON.stringify({ command, args, ...(folder !== undefined && { env: { [WORKSPACE]: folder } }) });
  return [
    'Castellan is an MCP server: a client starts it and talks to it over standard input and output.',
    '',
    `Claude Code      ${['claude mcp add castellan --', command, ...args].join(' ')}   in the project's folder`,
    `Claude Desktop   {"mcpServers":{"castellan":${server(workspace)}}}   in claude_desktop_config.json`,
    `Cursor           {"mcpServers":{"castellan":${server(OPEN_FOLDER)}}}   in .cursor/mcp.json`,
    `VS Code          {"servers":{"castellan":${server(OPEN_FOLDER)}}}   in .vscode/mcp.json`,
    `Gemini CLI       {"mcpServers":{"castellan":${server()}}}   in .gemini/settings.json`,
  ].join('\n');
}
