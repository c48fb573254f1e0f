import { MCP_CLIENTS } from '../../domain/client/mcp-client.js';

/** Clients that start servers in a directory of their own must be given the project's. */
const WORKSPACE = 'CASTELLAN_WORKSPACE';

/** Cursor and VS Code replace this with the open directory. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the clients' own placeholder
const OPEN_FOLDER = '${workspaceFolder}';

/** Explains how to connect a client to people who started the command by hand. */
export function connectHelp(
  command: string,
  args: readonly string[],
  workspace = '/path/to/your/project',
): string {
  const server = (folder?: string) =>
    JSON.stringify({ command, args, ...(folder !== undefined && { env: { [WORKSPACE]: folder } }) });
  return [
    'Castellan is an MCP server: a client starts it and talks to it over standard input and output.',
    `\`castellan install CLIENT\` adds it to a client: ${MCP_CLIENTS.join(', ')}. Or by hand:`,
    '',
    `Claude Code      ${['claude mcp add castellan --', command, ...args].join(' ')}`,
    `Claude Desktop   {"mcpServers":{"castellan":${server(workspace)}}}   in claude_desktop_config.json`,
    `Cursor           {"mcpServers":{"castellan":${server(OPEN_FOLDER)}}}   in .cursor/mcp.json`,
    `VS Code          {"servers":{"castellan":${server(OPEN_FOLDER)}}}   in .vscode/mcp.json`,
    `Gemini CLI       {"mcpServers":{"castellan":${server()}}}   in .gemini/settings.json`,
  ].join('\n');
}

export interface HttpHelp {
  readonly url: string;
  readonly adminUrl: string | undefined;
  readonly token: string | undefined;
  /** The address known to clients, if a proxy has another one. */
  readonly publicUrl?: string | undefined;
  /**
   * The principal that the token belongs to; undefined if the policy names no principals, or there is no
   * token.
   */
  readonly tokenPrincipal?: TokenPrincipal | undefined;
}

export interface TokenPrincipal {
  readonly name: string;
  readonly roles: readonly string[];
  readonly hash: string;
}

function principalLine({ name, roles, hash }: TokenPrincipal): string {
  return roles.length === 0
    ? `The policy has no principal for this token, so it may do nothing. Add this line: - { name: operator, match: { api_key: "${hash}" }, roles: [default] }`
    : `The token belongs to the principal ${name} (${roles.join(', ')}).`;
}

/**
 * Explains how to connect a client to a listening server. An existing token is not stored, so it cannot be
 * shown.
 */
export function httpHelp({ url, adminUrl, token, publicUrl, tokenPrincipal }: HttpHelp): string {
  const shown = token ?? 'TOKEN';
  const headers = JSON.stringify({ Authorization: `Bearer ${shown}` });
  const address = publicUrl ?? url;
  return [
    `Castellan serves MCP at ${url}${publicUrl === undefined ? '' : `, as ${publicUrl}`}`,
    ...(adminUrl === undefined ? [] : [`Health and metrics at ${adminUrl}/healthz, /readyz, /metrics`]),
    token === undefined
      ? 'Token: printed at the first start, or CASTELLAN_TOKEN; `castellan token rotate` creates a new one.'
      : `Token: ${token}   (shown this once; \`castellan token rotate\` makes another)`,
    ...(tokenPrincipal === undefined ? [] : [principalLine(tokenPrincipal)]),
    '',
    `Claude Code      claude mcp add --transport http castellan ${address} --header "Authorization: Bearer ${shown}"`,
    `Cursor           {"mcpServers":{"castellan":{"url":"${address}","headers":${headers}}}}   in .cursor/mcp.json`,
    `VS Code          {"servers":{"castellan":{"type":"http","url":"${address}","headers":${headers}}}}   in .vscode/mcp.json`,
    `Gemini CLI       {"mcpServers":{"castellan":{"httpUrl":"${address}","headers":${headers}}}}   in .gemini/settings.json`,
  ].join('\n');
}
