import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a session takes place: a project that has been told of the server, a home of its own, no other network. */
export interface SessionGround {
  readonly project: string;
  readonly home: string;
  /** The folder that the client is installed in. */
  readonly client: string;
  /** The command that starts our server. */
  readonly server: readonly string[];
  /** The address of the scripted model, for clients that have one. */
  readonly model: string;
}

export interface Step {
  /** A program of the client, or a file for Node. */
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What is typed, a little at a time, by somebody who sees what is printed. */
  readonly keys?: (printed: () => string) => Iterator<string>;
}

export interface RealClient {
  readonly name: string;
  readonly packages: readonly string[];
  /** Where npm finds none that fit: the peers, as they are installed. */
  readonly peers?: readonly string[];
  /** `castellan install` knows it under this name. */
  readonly installed?: string;
  /** Lists and calls. What it prints names the tools and has the answer, or the scripted model hears both. */
  readonly session: (ground: SessionGround) => readonly Step[];
}

/** What every session calls, and how it is answered. */
export const CALL = { tool: 'read_file', path: 'hello.txt', answer: 'Read by a real client.' } as const;

const ASK = 'Call the tool.';

/** A module of the client's folder that prints the names of the tools and the answer of the call. */
function moduleStep(ground: SessionGround, code: string): Step {
  const file = join(ground.client, 'session.mjs');
  const [command, ...args] = ground.server;
  const given = { command, args, cwd: ground.project, path: CALL.path };
  writeFileSync(file, `const given = ${JSON.stringify(given)};\n${code}`);
  return { program: 'node', args: [file] };
}

export const REAL_CLIENTS: readonly RealClient[] = [
  {
    name: 'MCP Inspector',
    packages: ['@modelcontextprotocol/inspector'],
    session: ({ server }) => [
      { program: 'mcp-inspector', args: ['--cli', ...server, '--method', 'tools/list', '--strict'] },
      {
        program: 'mcp-inspector',
        args: [
          '--cli',
          ...server,
          '--method',
          'tools/call',
          '--tool-name',
          CALL.tool,
          '--tool-arg',
          `path=${CALL.path}`,
        ],
      },
    ],
  },
  {
    name: 'mcporter',
    packages: ['mcporter'],
    session: (ground) => {
      const [command, ...args] = ground.server;
      const config = join(ground.home, 'mcporter.json');
      writeFileSync(
        config,
        JSON.stringify({ mcpServers: { castellan: { command, args, cwd: ground.project } } }),
      );
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
    name: 'AI SDK',
    packages: ['@ai-sdk/mcp', 'ai'],
    session: (ground) => [
      moduleStep(
        ground,
        `import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as Stdio } from '@ai-sdk/mcp/mcp-stdio';
const client = await createMCPClient({ transport: new Stdio({ ...given, env: process.env }) });
const tools = await client.tools();
console.log(Object.keys(tools).join(' '));
console.log(JSON.stringify(await tools.read_file.execute({ path: given.path }, { toolCallId: '1', messages: [] })));
await client.close();
`,
      ),
    ],
  },
  {
    name: 'LangChain',
    packages: ['@langchain/mcp-adapters', '@langchain/core'],
    // Newer ones want packages that are not published.
    peers: ['@langchain/langgraph@1.4.10'],
    session: (ground) => [
      moduleStep(
        ground,
        `import { MultiServerMCPClient } from '@langchain/mcp-adapters';
const client = new MultiServerMCPClient({ castellan: { transport: 'stdio', ...given, env: process.env } });
const tools = await client.getTools();
console.log(tools.map(({ name }) => name).join(' '));
console.log(JSON.stringify(await tools.find(({ name }) => name.endsWith('read_file')).invoke({ path: given.path })));
await client.close();
`,
      ),
    ],
  },
  {
    name: 'Claude Code',
    packages: ['@anthropic-ai/claude-code'],
    installed: 'claude',
    session: ({ project, model }) => [
      {
        program: 'claude',
        args: [
          '-p',
          ASK,
          '--mcp-config',
          join(project, '.mcp.json'),
          '--strict-mcp-config',
          '--allowedTools',
          'mcp__castellan__read_file',
        ],
        env: {
          ANTHROPIC_BASE_URL: model,
          ANTHROPIC_API_KEY: 'scripted',
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          ENABLE_TOOL_SEARCH: 'false',
        },
      },
    ],
  },
  {
    name: 'Codex',
    packages: ['@openai/codex'],
    installed: 'codex',
    session: ({ model }) => [
      {
        program: 'codex',
        args: [
          'exec',
          '--skip-git-repo-check',
          '--dangerously-bypass-approvals-and-sandbox',
          ...['-c', 'model=scripted', '-c', 'model_provider=scripted'],
          ...['-c', `model_providers.scripted={name="scripted",base_url="${model}/v1",wire_api="responses"}`],
          ASK,
        ],
      },
    ],
  },
  {
    name: 'Gemini CLI',
    packages: ['@google/gemini-cli'],
    installed: 'gemini',
    session: ({ home, model }) => {
      mkdirSync(join(home, '.gemini'), { recursive: true });
      const settings = { security: { auth: { selectedType: 'gemini-api-key' } } };
      writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
      return [
        {
          program: 'gemini',
          args: ['-p', ASK, '--approval-mode', 'yolo', '-m', 'gemini-2.5-flash'],
          env: {
            GEMINI_API_KEY: 'scripted',
            GOOGLE_GEMINI_BASE_URL: model,
            GEMINI_CLI_TRUST_WORKSPACE: 'true',
          },
        },
      ];
    },
  },
  {
    name: 'opencode',
    packages: ['opencode-ai'],
    installed: 'opencode',
    session: ({ model }) => [
      {
        program: 'opencode',
        args: ['run', '-m', 'scripted/scripted', ASK],
        env: {
          OPENCODE_DISABLE_MODELS_FETCH: '1',
          OPENCODE_DISABLE_AUTOUPDATE: '1',
          OPENCODE_CONFIG_CONTENT: JSON.stringify({
            provider: {
              scripted: {
                npm: '@ai-sdk/openai-compatible',
                options: { baseURL: `${model}/v1`, apiKey: 'scripted' },
                models: { scripted: { name: 'scripted', tool_call: true } },
              },
            },
          }),
        },
      },
    ],
  },
  {
    name: 'GitHub Copilot CLI',
    packages: ['@github/copilot'],
    installed: 'copilot',
    session: ({ model }) => [
      {
        program: 'copilot',
        args: ['-p', ASK, '--allow-all-tools', '--no-auto-update', '--log-level', 'none'],
        env: {
          COPILOT_OFFLINE: 'true',
          COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
          COPILOT_MODEL: 'scripted',
        },
      },
    ],
  },
];
