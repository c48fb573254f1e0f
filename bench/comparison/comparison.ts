import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { renderTable } from '../bench-report.js';
import { listTokens } from '../list-tokens.js';
import type { ComparedServer } from './compared-servers.js';
import { ComparisonGround } from './comparison-ground.js';
import { FACTS, type Fact, type Trial } from './facts.js';

/** One server's column of the table. */
export interface Column {
  readonly title: string;
  readonly facts: readonly (boolean | undefined)[];
  readonly tools: number;
  readonly tokens: number;
  /** What a model reads when it asks for a file outside of the folder. */
  readonly refusal: string;
}

export const ROWS: readonly string[] = [
  ...FACTS.map(({ title }) => title),
  'tools in the list',
  'tokens of the list (o200k)',
];

async function withServer<T>(
  server: ComparedServer,
  modules: string,
  use: (trial: Trial, client: Client) => Promise<T>,
): Promise<T> {
  const ground = new ComparisonGround();
  const client = new Client({ name: 'comparison', version: '1' });
  try {
    server.prepare(ground);
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [...server.start(modules, ground.project)],
        env: { PATH: process.env.PATH ?? '', ...definedOf(ground.env) },
        cwd: ground.project,
        stderr: 'ignore',
      }),
    );
    const ask: Trial['ask'] = async ([name, args]) => {
      const answer = await client
        .callTool({ name, arguments: { ...args } })
        .catch((error: Error) => ({ content: [{ type: 'text', text: error.message }] }));
      return JSON.stringify(answer.content);
    };
    return await use({ server, ground, ask }, client);
  } finally {
    await client.close();
    ground.remove();
  }
}

function definedOf(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

/** Whether each of them holds. */
export async function tryFacts(
  tried: readonly Fact[],
  server: ComparedServer,
  modules: string,
): Promise<readonly (boolean | undefined)[]> {
  const found: (boolean | undefined)[] = [];
  for (const { holds } of tried) found.push(await withServer(server, modules, (trial) => holds(trial)));
  return found;
}

export async function columnOf(server: ComparedServer, modules: string): Promise<Column> {
  const facts = await tryFacts(FACTS, server, modules);
  return withServer(server, modules, async ({ ground, ask }, client) => {
    const { tools } = await client.listTools();
    const [block] = JSON.parse(await ask(server.read(`${ground.outside}/notes.txt`)));
    return {
      title: server.title,
      facts,
      tools: tools.length,
      tokens: listTokens(tools),
      refusal: String(block.text)
        .replaceAll(ground.outside, '/outside')
        .replaceAll(ground.project, '/project'),
    };
  });
}

/** The cell of a fact. */
export function wordFor(holds: boolean | undefined): string {
  return holds === undefined ? '–' : holds ? 'yes' : 'no';
}

export function renderComparison(columns: readonly Column[]): string {
  const rows = ROWS.map((title, row) => [
    title,
    ...columns.map(({ facts, tools, tokens }) =>
      row < FACTS.length ? wordFor(facts[row]) : String(row === FACTS.length ? tools : tokens),
    ),
  ]);
  return renderTable(['set up to serve one folder', ...columns.map(({ title }) => title)], rows);
}
