import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { listTokens, tokensOf } from '../list-tokens.js';
import { COMMANDER, installPeer, OFFICIAL, type PeerPackage } from '../peer-packages.js';
import { type AgentCall, agentCalls } from './agent-calls.js';
import { makeGround } from './agent-ground.js';

const MAIN = resolve(import.meta.dirname, '..', '..', 'dist', 'main.js');

type Name = 'ours' | 'official' | 'commander';

interface Server {
  readonly name: Name;
  /** Installed from npm; absent for our own. */
  readonly peer?: PeerPackage;
}

const SERVERS: readonly Server[] = [
  { name: 'ours' },
  { name: 'official', peer: OFFICIAL },
  { name: 'commander', peer: COMMANDER },
];

interface Cost {
  readonly list: number;
  readonly tools: number;
  readonly bytes: number;
  readonly calls: readonly (number | undefined)[];
}

/** Text blocks, which is what most clients hand on; one that hands on structured content instead pays more for it. */
function answerTokens(answer: unknown): number {
  if (
    typeof answer !== 'object' ||
    answer === null ||
    !('content' in answer) ||
    !Array.isArray(answer.content)
  )
    return 0;
  const texts = answer.content.map((block: { text?: string }) => block.text ?? '');
  if (process.env.SHOW_ANSWERS) console.error(texts.join('\n~~~\n'), '\n=====');
  return tokensOf(texts.join('\n'));
}

/** A search of Desktop Commander answers with a session; what it found is asked for when it had time to finish. */
async function callTokens(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<number> {
  const ask = (tool: string, given: Record<string, unknown>) =>
    client
      .callTool({ name: tool, arguments: given })
      .catch((error: Error) => ({ content: [{ type: 'text', text: error.message }] }));
  const answer = await ask(name, { ...args });
  const sessionId = /search_\d+_\d+/.exec(JSON.stringify(answer))?.[0];
  if (name !== 'start_search' || sessionId === undefined) return answerTokens(answer);
  await new Promise((wake) => setTimeout(wake, 2_000));
  return answerTokens(answer) + answerTokens(await ask('get_more_search_results', { sessionId }));
}

async function measure({ name, peer }: Server, scratch: string, modules: string): Promise<Cost> {
  const root = join(scratch, 'ground');
  makeGround(root);
  const env = {
    ...process.env,
    HOME: join(scratch, 'home'),
    XDG_STATE_HOME: join(scratch, 'state'),
    XDG_CONFIG_HOME: join(scratch, 'config'),
  };
  mkdirSync(env.HOME, { recursive: true });
  if (peer === undefined)
    execFileSync(process.execPath, [MAIN, 'init', '--workspace', root], { env, stdio: 'ignore' });
  const args = [...(peer?.start(modules, root) ?? [MAIN, '--workspace', root])];
  const client = new Client({ name: 'agent-cost', version: '1' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env, cwd: root, stderr: 'ignore' }),
  );
  const listed = await client.listTools();
  const list = listTokens(listed.tools);
  const calls: (number | undefined)[] = [];
  for (const row of agentCalls(root)) {
    const call = row[name];
    if (process.env.SHOW_ANSWERS) console.error(name, row.what);
    calls.push(call && (await callTokens(client, ...call)));
  }
  await client.close();
  return { list, tools: listed.tools.length, bytes: JSON.stringify(listed).length, calls };
}

function ratio(own: number, others: readonly (number | undefined)[]): number | undefined {
  const known = others.filter((tokens) => tokens !== undefined && tokens > 0);
  return known.length === 0 ? undefined : own / Math.min(...known.map(Number));
}

function report(rows: readonly AgentCall[], costs: ReadonlyMap<Name, Cost>): string {
  const cell = (value: number | undefined) => (value === undefined ? '–' : String(value));
  const peers = (['official', 'commander'] as const).map((name) => costs.get(name));
  const own = costs.get('ours');
  if (own === undefined) throw new Error('Our own server was not measured.');
  const lines = rows.map((row, index) => {
    const mine = own.calls[index] ?? 0;
    const others = peers.map((peer) => peer?.calls[index]);
    const compared = row.saysMore === undefined ? ratio(mine, others) : undefined;
    return {
      mine,
      others,
      compared,
      text: `| ${row.what} | ${mine} | ${others.map(cell).join(' | ')} | ${compared?.toFixed(2) ?? row.saysMore ?? '–'} |`,
    };
  });
  const comparable = lines.filter(({ compared }) => compared !== undefined);
  const mine = comparable.reduce((sum, line) => sum + line.mine, 0);
  const cheapest = comparable.reduce((sum, line) => sum + line.mine / (line.compared ?? 1), 0);
  const against = (index: number) => {
    const shared = lines.filter(({ compared, others }) => compared !== undefined && (others[index] ?? 0) > 0);
    const [a, b] = [
      shared.reduce((sum, line) => sum + line.mine, 0),
      shared.reduce((sum, line) => sum + (line.others[index] ?? 0), 0),
    ];
    const [all, theirs] = [own.list + a, (peers[index]?.list ?? 0) + b];
    return `${shared.length} shared calls: ${a} against ${b}, ${(a / b).toFixed(2)}; with the list, a whole session: ${all} against ${theirs}, ${(all / theirs).toFixed(2)}`;
  };
  return [
    '| tokens (o200k) | Castellan | official filesystem | Desktop Commander | of the cheaper |',
    '|---|---|---|---|---|',
    `| the list: tools | ${own.tools} | ${peers.map((peer) => cell(peer?.tools)).join(' | ')} | |`,
    `| the list: tokens | ${own.list} | ${peers.map((peer) => cell(peer?.list)).join(' | ')} | |`,
    `| the list: bytes | ${own.bytes} | ${peers.map((peer) => cell(peer?.bytes)).join(' | ')} | |`,
    ...lines.map(({ text }) => text),
    `| all comparable calls, against the cheaper of each row | ${mine} | | ${Math.round(cheapest)} | ${(mine / cheapest).toFixed(2)} |`,
    '',
    `Official filesystem server, ${against(0)}. Desktop Commander, ${against(1)}.`,
  ].join('\n');
}

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-agent-cost-')));
try {
  const costs = new Map<Name, Cost>();
  for (const server of SERVERS) {
    const modules = server.peer === undefined ? scratch : installPeer(server.peer, scratch, console.error);
    if (modules !== undefined) costs.set(server.name, await measure(server, scratch, modules));
  }
  console.log(report(agentCalls(join(scratch, 'ground')), costs));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
