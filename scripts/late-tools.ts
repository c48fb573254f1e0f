/**
 * Tools that come, change and go while real clients are connected: a host outside of this repository, with the packed
 * tarball installed from npm, registers a tool of category `ai`, exchanges it and removes it. Each client has a scripted
 * model on loopback; what it sends there shows whether it followed `notifications/tools/list_changed`.
 *
 *   npx tsx scripts/late-tools.ts [claude-code | gemini-cli | opencode …]
 *
 * After `npm run build`. CLIENTS names a folder to keep the installed clients in.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { transformSync } from 'esbuild';
import type { Step } from './real-clients/client-sessions.js';
import { runStep } from './real-clients/run-step.js';
import { type Heard, ScriptedModel } from './real-clients/scripted-model.js';

const PROJECT = resolve(import.meta.dirname, '..');
const HOST = join(PROJECT, 'tests', 'embedding-host', 'dynamic-host.ts');
const STEP_SECONDS = 120;

interface Place {
  readonly project: string;
  readonly home: string;
  readonly host: string;
  readonly model: string;
}

interface LateClient {
  readonly name: string;
  readonly package: string;
  readonly session: (place: Place) => Step;
}

const CLIENTS: readonly LateClient[] = [
  {
    name: 'claude-code',
    package: '@anthropic-ai/claude-code',
    session: ({ project, host, model }) => {
      const config = join(project, 'mcp.json');
      const castellan = { command: process.execPath, args: [host] };
      writeFileSync(config, JSON.stringify({ mcpServers: { castellan } }));
      return {
        program: 'claude',
        args: ['-p', 'go', '--mcp-config', config, '--strict-mcp-config', '--allowedTools', 'mcp__castellan'],
        env: {
          ANTHROPIC_API_KEY: 'none',
          ANTHROPIC_BASE_URL: model,
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          ENABLE_TOOL_SEARCH: 'false',
        },
      };
    },
  },
  {
    name: 'gemini-cli',
    package: '@google/gemini-cli',
    session: ({ home, host, model }) => {
      mkdirSync(join(home, '.gemini'), { recursive: true });
      const settings = {
        security: { auth: { selectedType: 'gemini-api-key' } },
        mcpServers: { castellan: { command: process.execPath, args: [host], trust: true } },
      };
      writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
      return {
        program: 'gemini',
        args: ['-p', 'go', '--approval-mode', 'yolo', '-m', 'gemini-2.5-flash'],
        env: {
          GEMINI_API_KEY: 'scripted',
          GOOGLE_GEMINI_BASE_URL: model,
          GEMINI_CLI_TRUST_WORKSPACE: 'true',
        },
      };
    },
  },
  {
    name: 'opencode',
    package: 'opencode-ai',
    session: ({ host, model }) => ({
      program: 'opencode',
      args: ['run', 'go'],
      env: {
        OPENCODE_CONFIG_CONTENT: JSON.stringify({
          autoupdate: false,
          model: 'anthropic/claude-sonnet-4-5',
          provider: { anthropic: { options: { baseURL: `${model}/v1`, apiKey: 'none' } } },
          mcp: { castellan: { type: 'local', command: [process.execPath, host], timeout: 60_000 } },
        }),
      },
    }),
  },
];

/** Some clients ask for the list a moment after they are told: a scripted model is quicker than a real one. */
const PAUSE = Array.from({ length: 4 }, () => ({ tool: 'echo', args: { message: 'a moment' } }));

/** What the model asks for, one after the other. It can only call what the client has listed. */
const PLAN = [
  { tool: 'change_tools', args: { step: 'add' } },
  ...PAUSE,
  { tool: 'summarise', args: { text: 'x' } },
  { tool: 'change_tools', args: { step: 'exchange' } },
  ...PAUSE,
  { tool: 'summarise', args: { text: 'x' } },
  { tool: 'change_tools', args: { step: 'remove' } },
  ...PAUSE,
];

/** The host with the tarball that npm packs here. */
function installHost(folder: string): string {
  const npm = (args: readonly string[], cwd: string) => execFileSync('npm', args, { cwd, stdio: 'ignore' });
  npm(['pack', '--ignore-scripts', '--pack-destination', folder], PROJECT);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  writeFileSync(join(folder, 'package.json'), '{ "name": "host", "private": true, "type": "module" }\n');
  npm(['install', '--no-audit', '--no-fund', `./${tarball}`], folder);
  const { code } = transformSync(readFileSync(HOST, 'utf8'), { loader: 'ts', target: 'es2023' });
  writeFileSync(join(folder, 'host.js'), code);
  return join(folder, 'host.js');
}

function installClient(name: string): string {
  const folder = join(
    process.env.CLIENTS ?? join(tmpdir(), 'castellan-late-clients'),
    name.replaceAll('/', '-'),
  );
  if (!existsSync(join(folder, 'node_modules'))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', name], { cwd: folder, stdio: 'ignore' });
  }
  return folder;
}

const knows = (list: readonly string[] | undefined) =>
  list?.some((name) => name.endsWith('summarise')) === true;

/** How far the client followed, in words; undefined: all the way. */
function problem({ lists, answers, missing }: Heard): string | undefined {
  if (missing.length > 0) return `it never listed ${missing.join(', ')}`;
  if (answers.length < PLAN.length) return `${answers.length} of ${PLAN.length} calls were answered`;
  const [first, second] = answers.filter((_, index) => PLAN[index]?.tool === 'summarise');
  if (!first?.includes('first: x')) return `the new tool answered ${first}`;
  if (!second?.includes('second: x')) return `the exchanged tool answered ${second}`;
  if (knows(lists[0])) return 'it knew the tool before it was there';
  return knows(lists.at(-1)) ? 'it still lists the tool that is gone' : undefined;
}

async function hold(client: LateClient, host: string, root: string): Promise<string> {
  const folder = installClient(client.package);
  const [project, home] = [join(root, client.name), join(root, `${client.name}-home`)];
  for (const made of [project, home]) mkdirSync(made);
  const model = new ScriptedModel(PLAN);
  try {
    const place = { project, home, host, model: await model.listen() };
    const ground = { project, home, client: folder, node: dirname(process.execPath) };
    const printed = await runStep(client.session(place), ground, STEP_SECONDS);
    const why = problem(model.heard);
    if (process.env.SHOW_ANSWERS) console.error(printed, model.heard.answers, model.heard.lists);
    const { version } = JSON.parse(
      readFileSync(join(folder, 'node_modules', client.package, 'package.json'), 'utf8'),
    );
    return why === undefined
      ? `ok  ${client.name} ${version}: added, exchanged, removed`
      : `FAILED  ${client.name} ${version}: ${why}`;
  } finally {
    model.close();
  }
}

const root = mkdtempSync(join(tmpdir(), 'castellan-late-'));
try {
  const host = installHost(root);
  const wanted = process.argv.slice(2);
  for (const client of CLIENTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    const line = await hold(client, host, root);
    if (!line.startsWith('ok')) process.exitCode = 1;
    console.log(line);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
