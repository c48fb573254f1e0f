import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CALL, type Step } from './client-sessions.js';

/** A server over HTTP, and a home and a folder for the client. */
export interface HttpGround {
  readonly url: string;
  readonly token: string;
  readonly home: string;
  readonly client: string;
}

export interface HttpClientSession {
  readonly name: string;
  readonly package: string;
  /** Lists and calls: what it prints names the tools and has the answer. */
  readonly session: (ground: HttpGround) => readonly Step[];
}

/** Speaks MCP over the standard streams of the program that it is given, and prints what is answered. */
const STDIO_CLIENT = `import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
const [program, ...args] = process.argv.slice(2);
const server = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
server.on('exit', () => process.exit(1));
const waiting = new Map();
createInterface({ input: server.stdout }).on('line', (line) => {
  const { id, ...answer } = JSON.parse(line);
  waiting.get(id)?.(answer);
});
const tell = (message) => server.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const ask = (id, method, params) => new Promise((resolve) => {
  waiting.set(id, resolve);
  tell({ id, method, params });
});
const clientInfo = { name: 'stdio-client', version: '1.0.0' };
await ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
tell({ method: 'notifications/initialized' });
console.log(JSON.stringify(await ask(2, 'tools/list', {})));
console.log(JSON.stringify(await ask(3, 'tools/call', ${JSON.stringify({ name: CALL.tool, arguments: { path: CALL.path } })})));
process.exit(0);
`;

/** What somebody types who picks the tool, gives its path and leaves the rest as it is. */
function* keysOfPicking(printed: () => string): Generator<string> {
  while (!printed().includes('Pick a primitive')) yield '';
  yield `tool(${CALL.tool}`;
  yield '\r';
  while (!printed().includes('* path')) yield '';
  yield CALL.path;
  while (!printed().includes('Using tool')) yield '\r';
  while (!printed().includes(CALL.answer)) yield '';
  yield '\x03';
}

export const HTTP_CLIENTS: readonly HttpClientSession[] = [
  {
    name: 'MCP Inspector',
    package: '@modelcontextprotocol/inspector',
    session: ({ url, token }) => {
      const server = ['--cli', url, '--transport', 'http', '--header', `Authorization: Bearer ${token}`];
      const call = ['--method', 'tools/call', '--tool-name', CALL.tool, '--tool-arg', `path=${CALL.path}`];
      return [
        { program: 'mcp-inspector', args: [...server, '--method', 'tools/list', '--strict'] },
        { program: 'mcp-inspector', args: [...server, ...call] },
      ];
    },
  },
  {
    name: 'mcporter',
    package: 'mcporter',
    session: ({ url, token, home }) => {
      const config = join(home, 'mcporter.json');
      const castellan = { url, headers: { Authorization: `Bearer ${token}` } };
      writeFileSync(config, JSON.stringify({ mcpServers: { castellan } }));
      return [
        { program: 'mcporter', args: ['--config', config, 'list', 'castellan', '--json'] },
        {
          program: 'mcporter',
          args: ['--config', config, 'call', `castellan.${CALL.tool}`, `path=${CALL.path}`],
        },
      ];
    },
  },
  {
    name: 'mcp-cli',
    package: '@wong2/mcp-cli',
    session: ({ url, token, home }) => {
      // It takes no headers: tokens are what an authorisation server gave it, kept by the address they are for.
      const folder = join(home, '.config', 'mcp-cli-nodejs');
      const id = createHash('sha256').update(url).digest('hex');
      mkdirSync(folder, { recursive: true });
      const tokens = { access_token: token, token_type: 'Bearer' };
      writeFileSync(join(folder, 'config.json'), JSON.stringify({ oauth: { [id]: { tokens } } }));
      return [{ program: 'mcp-cli', args: ['--url', url], keys: keysOfPicking }];
    },
  },
  {
    name: 'mcp-remote',
    package: 'mcp-remote',
    session: ({ url, token, client }) => {
      const file = join(client, 'stdio-client.mjs');
      writeFileSync(file, STDIO_CLIENT);
      const args = [file, 'mcp-remote', url, '--transport', 'http-only', '--header'];
      return [{ program: 'node', args: [...args, `Authorization:Bearer ${token}`] }];
    },
  },
];
