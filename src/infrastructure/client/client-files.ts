import { posix, win32 } from 'node:path';
import type { McpClient } from '../../domain/client/mcp-client.js';
import { configurationHome } from '../state/configuration-home.js';

export type ClientScope = 'project' | 'user';

/** Where the machine keeps things. */
export interface ClientMachine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly workspace: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** How a client is told of servers: the file, the key above their names, and what an entry looks like. */
export interface ClientFile {
  readonly path: string;
  /** The project, or the user's folder: links below it may be anybody's, those above it are the machine's. */
  readonly root: string;
  readonly format: 'json' | 'toml';
  readonly under: string;
  readonly shape: 'plain' | 'typed' | 'opencode' | 'copilot';
  /** What the client starts a server in: the project, or a folder of its own, so that the project must be named. */
  readonly workspace: 'current' | 'named' | 'placeholder';
}

interface ClientFacts extends Omit<ClientFile, 'path' | 'root'> {
  /** From the project; absent where the client has no file of its own there. */
  readonly project?: string;
  /** From the folder named. */
  readonly user: { readonly in: 'home' | 'settings' | 'config'; readonly path: string };
}

const JSON_FILE = { format: 'json', under: 'mcpServers', shape: 'plain' } as const;

/** `settings`: where applications keep settings on this platform. `config`: the folder of XDG. */
const FACTS: Readonly<Record<McpClient, ClientFacts>> = {
  claude: {
    ...JSON_FILE,
    shape: 'typed',
    workspace: 'current',
    project: '.mcp.json',
    user: { in: 'home', path: '.claude.json' },
  },
  'claude-desktop': {
    ...JSON_FILE,
    workspace: 'named',
    user: { in: 'settings', path: 'Claude/claude_desktop_config.json' },
  },
  cursor: {
    ...JSON_FILE,
    workspace: 'placeholder',
    project: '.cursor/mcp.json',
    user: { in: 'home', path: '.cursor/mcp.json' },
  },
  vscode: {
    ...JSON_FILE,
    under: 'servers',
    shape: 'typed',
    workspace: 'placeholder',
    project: '.vscode/mcp.json',
    user: { in: 'settings', path: 'Code/User/mcp.json' },
  },
  codex: {
    format: 'toml',
    under: 'mcp_servers',
    shape: 'plain',
    workspace: 'current',
    project: '.codex/config.toml',
    user: { in: 'home', path: '.codex/config.toml' },
  },
  gemini: {
    ...JSON_FILE,
    workspace: 'current',
    project: '.gemini/settings.json',
    user: { in: 'home', path: '.gemini/settings.json' },
  },
  opencode: {
    ...JSON_FILE,
    under: 'mcp',
    shape: 'opencode',
    workspace: 'current',
    project: 'opencode.json',
    user: { in: 'config', path: 'opencode/opencode.json' },
  },
  copilot: {
    ...JSON_FILE,
    shape: 'copilot',
    workspace: 'current',
    user: { in: 'home', path: '.copilot/mcp-config.json' },
  },
  zed: {
    ...JSON_FILE,
    under: 'context_servers',
    workspace: 'current',
    project: '.zed/settings.json',
    user: { in: 'config', path: 'zed/settings.json' },
  },
  windsurf: {
    ...JSON_FILE,
    workspace: 'named',
    user: { in: 'home', path: '.codeium/windsurf/mcp_config.json' },
  },
};

/** Codex reads the file of a project only once the project is trusted there, so its own is the better place. */
export function defaultScope(client: McpClient): ClientScope {
  return FACTS[client].project === undefined || client === 'codex' ? 'user' : 'project';
}

/** Undefined: the client has no file in projects. */
export function clientFile(
  client: McpClient,
  scope: ClientScope,
  machine: ClientMachine,
): ClientFile | undefined {
  const { project, user, ...facts } = FACTS[client];
  const { join } = machine.platform === 'win32' ? win32 : posix;
  const [root, path] =
    scope === 'user' ? [userFolder(user.in, machine), user.path] : [machine.workspace, project];
  return path === undefined ? undefined : { ...facts, root, path: join(root, path) };
}

export function userFolder(
  kind: ClientFacts['user']['in'],
  { platform, home, environment }: ClientMachine,
): string {
  const { APPDATA } = environment;
  if (kind === 'home') return home;
  if (platform === 'win32') return APPDATA ?? win32.join(home, 'AppData', 'Roaming');
  if (kind === 'settings' && platform === 'darwin') {
    return posix.join(home, 'Library', 'Application Support');
  }
  return configurationHome(environment, home);
}
