import { expect } from 'chai';
import { describe, it } from 'mocha';
import { MCP_CLIENTS } from '../../../src/domain/client/mcp-client.js';
import { clientFile, defaultScope } from '../../../src/infrastructure/client/client-files.js';
import { serverEntry } from '../../../src/infrastructure/client/server-entry.js';

const linux = { platform: 'linux', home: '/home/u', workspace: '/w', environment: {} } as const;
const start = { command: 'node', args: ['/c.js'] };

describe('the files of MCP clients', () => {
  it('has one for every client where it belongs by default', () => {
    const paths = MCP_CLIENTS.map((client) => clientFile(client, defaultScope(client), linux)?.path);
    expect(paths).to.deep.equal([
      '/w/.mcp.json',
      '/home/u/.config/Claude/claude_desktop_config.json',
      '/w/.cursor/mcp.json',
      '/w/.vscode/mcp.json',
      '/home/u/.codex/config.toml',
      '/w/.gemini/settings.json',
      '/w/opencode.json',
      '/home/u/.copilot/mcp-config.json',
      '/w/.zed/settings.json',
      '/home/u/.codeium/windsurf/mcp_config.json',
    ]);
  });

  it('follows the rules of macOS, Windows and XDG', () => {
    const mac = { ...linux, platform: 'darwin', home: '/Users/u' } as const;
    expect(clientFile('claude-desktop', 'user', mac)?.path).to.equal(
      '/Users/u/Library/Application Support/Claude/claude_desktop_config.json',
    );
    const windows = {
      platform: 'win32',
      home: 'C:\\Users\\u',
      workspace: 'D:\\w',
      environment: { APPDATA: 'C:\\Users\\u\\AppData\\Roaming' },
    } as const;
    expect(clientFile('vscode', 'user', windows)?.path).to.equal(
      'C:\\Users\\u\\AppData\\Roaming\\Code\\User\\mcp.json',
    );
    expect(clientFile('cursor', 'project', windows)?.path).to.equal('D:\\w\\.cursor\\mcp.json');
    const xdg = { ...linux, environment: { XDG_CONFIG_HOME: '/x' } };
    expect(clientFile('zed', 'user', xdg)?.path).to.equal('/x/zed/settings.json');
    expect(clientFile('windsurf', 'project', linux)).to.equal(undefined);
  });

  it('writes entries as each client reads them', () => {
    const entries = MCP_CLIENTS.map((client) => {
      const file = clientFile(client, 'user', linux);
      return file && [client, file.under, serverEntry(file, start, '/w')];
    });
    const open = { CASTELLAN_WORKSPACE: '${workspaceFolder}' };
    const named = { CASTELLAN_WORKSPACE: '/w' };
    expect(entries).to.deep.equal([
      ['claude', 'mcpServers', { type: 'stdio', ...start }],
      ['claude-desktop', 'mcpServers', { ...start, env: named }],
      ['cursor', 'mcpServers', { ...start, env: open }],
      ['vscode', 'servers', { type: 'stdio', ...start, env: open }],
      ['codex', 'mcp_servers', start],
      ['gemini', 'mcpServers', start],
      ['opencode', 'mcp', { type: 'local', command: ['node', '/c.js'], enabled: true }],
      ['copilot', 'mcpServers', { type: 'local', ...start, tools: ['*'] }],
      ['zed', 'context_servers', start],
      ['windsurf', 'mcpServers', { ...start, env: named }],
    ]);
  });
});
