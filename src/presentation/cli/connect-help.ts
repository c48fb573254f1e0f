import { MCP_CLIENTS } from '../../domain/client/mcp-client.js';

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
    `\`castellan install CLIENT\` tells a client of it: ${MCP_CLIENTS.join(', ')}. Or by hand:`,
    '',
    `Claude Code      ${['claude mcp add castellan --', command, ...args].join(' ')}`,
    `Claude Desktop   {"mcpServers":{"castellan":${server(workspace)}}}   in claude_desktop_config.json`,
    `Cursor           {"mcpServers":{"castellan":${server(OPEN_FOLDER)}}}   in .cursor/mcp.json`,
    `VS Code          {"servers":{"castellan":${server(OPEN_FOLDER)}}}   in .vscode/mcp.json`,
    `Gemini CLI       {"mcpServers":{"castellan":${server()}}}   in .gemini/settings.json`,
  ].join('\n');
}

/** How to connect a client to a server that listens. A token that was made before is not kept, so it cannot be shown. */
export function httpHelp({
  url,
  adminUrl,
  token,
}: {
  readonly url: string;
  readonly adminUrl: string | undefined;
  readonly token: string | undefined;
}): string {
  const shown = token ?? 'TOKEN';
  const headers = JSON.stringify({ Authorization: `Bearer ${shown}` });
  return [
    `Castellan serves MCP at ${url}`,
    ...(adminUrl === undefined ? [] : [`Health and metrics at ${adminUrl}/healthz, /readyz, /metrics`]),
    token === undefined
      ? 'Token: the one that the first start printed, or CASTELLAN_TOKEN; `castellan token rotate` makes another.'
      : `Token: ${token}   (shown this once; \`castellan token rotate\` makes another)`,
    '',
    `Claude Code      claude mcp add --transport http castellan ${url} --header "Authorization: Bearer ${shown}"`,
    `Cursor           {"mcpServers":{"castellan":{"url":"${url}","headers":${headers}}}}   in .cursor/mcp.json`,
    `VS Code          {"servers":{"castellan":{"type":"http","url":"${url}","headers":${headers}}}}   in .vscode/mcp.json`,
    `Gemini CLI       {"mcpServers":{"castellan":{"httpUrl":"${url}","headers":${headers}}}}   in .gemini/settings.json`,
  ].join('\n');
}
