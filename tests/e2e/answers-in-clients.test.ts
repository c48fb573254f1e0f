import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { CLIENT_CALLS, makeClientProject } from '../support/client-calls.js';
import { ModelStandIn, type PlannedCall, type ToldResult } from '../support/model-stand-in.js';
import { MAIN, SpawnedServer } from '../support/spawned-server.js';

const PACKAGES = [
  '@anthropic-ai/claude-code@2.1.197',
  'opencode-ai@1.18.33',
  'ai@6.0.326',
  '@ai-sdk/mcp@1.0.101',
  '@ai-sdk/anthropic@3.0.138',
];

interface Block {
  readonly text?: string;
  readonly annotations?: { readonly audience?: readonly string[] };
}

const PLAN: readonly PlannedCall[] = CLIENT_CALLS.map(([tool, args]) => [tool, args]);

/** A loop of the AI SDK: the tools of the server, the model that is scripted. */
const AI_SDK = `
import { createAnthropic } from '@ai-sdk/anthropic';
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as Stdio } from '@ai-sdk/mcp/mcp-stdio';
import { generateText, stepCountIs } from 'ai';
const [url, command, main, cwd] = process.argv.slice(2);
const client = await createMCPClient({ transport: new Stdio({ command, args: [main], cwd, env: process.env }) });
const model = createAnthropic({ baseURL: url + '/v1', apiKey: 'none' })('claude-sonnet-4-5');
await generateText({ model, tools: await client.tools(), prompt: 'go', stopWhen: stepCountIs(60) });
await client.close();
`;

/** What varies from run to run. */
const plain = (text: string) =>
  text
    .replaceAll(/p_[\w-]+/g, 'P')
    .replaceAll(/"cursor":"[^"]*"/g, 'C')
    .replaceAll(/\d+\.\d s/g, 'T');

/** They are 500 MB together: only the long run fetches them. CLIENTS names a folder that has them. */
if (process.env.CASTELLAN_LONG === '1') {
  describe('what real clients give their models of forty calls', () => {
    let folder: string;
    let clients: string;
    /** By call: what the server says for the user and the agent, and the code of a failure. */
    const said: (readonly string[])[] = [];

    before(async () => {
      folder = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-told-')));
      clients = process.env.CLIENTS ?? folder;
      if (process.env.CLIENTS === undefined) {
        writeFileSync(join(folder, 'package.json'), '{"private":true}');
        execFileSync('npm', ['install', '--no-audit', '--no-fund', ...PACKAGES], { cwd: folder });
      }
      await askDirectly();
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    const place = (name: string) => {
      const [project, home] = [join(folder, name), join(folder, `${name}-home`)];
      for (const made of [project, home]) mkdirSync(made);
      const env = { PATH: process.env.PATH, HOME: home };
      makeClientProject(project, MAIN, env);
      return { project, env };
    };

    async function askDirectly(): Promise<void> {
      const { project, env } = place('direct');
      const server = new SpawnedServer(
        MAIN,
        { ...env, XDG_STATE_HOME: '', XDG_CONFIG_HOME: '' },
        { cwd: project },
      );
      await server.initialize();
      for (const [index, [tool, args, ...wanted]] of CLIENT_CALLS.entries()) {
        const { result } = await server.callTool(index, tool, args);
        const content: readonly Block[] = JSON.parse(JSON.stringify(result?.content ?? []));
        const of = (reader: string) =>
          content.filter(({ annotations }) => annotations?.audience?.join() === reader);
        const [code] = /^\w+ \(-\d+\)/.exec(content[0]?.text ?? '') ?? [];
        const at = `${tool} ${JSON.stringify(args)}: ${JSON.stringify(content).slice(0, 300)}`;
        if (wanted.includes('message')) expect(of('user'), at).not.to.deep.equal([]);
        if (wanted.includes('instruction')) expect(of('assistant'), at).not.to.deep.equal([]);
        if (wanted.includes('code')) expect(code, at).to.be.a('string');
        const notes = [...of('user'), ...of('assistant')].map(({ text = '' }) => plain(text));
        said.push(code === undefined ? notes : [code, ...notes]);
      }
      await server.kill();
    }

    async function told(
      plan: readonly PlannedCall[],
      name: string,
      start: (url: string, project: string) => readonly string[],
      extra: (url: string) => NodeJS.ProcessEnv = () => ({}),
    ): Promise<readonly ToldResult[]> {
      const { project, env } = place(name);
      const model = new ModelStandIn(plan);
      const url = await model.open();
      const [program = '', ...args] = start(url, project);
      const child = spawn(program, args, { cwd: project, env: { ...env, ...extra(url) }, stdio: 'ignore' });
      await once(child, 'exit');
      model.close();
      return model.results;
    }

    function expectTold(client: string, results: readonly ToldResult[]): void {
      const missing = CLIENT_CALLS.flatMap(([tool, args], index) => {
        const text = plain(results[index]?.text ?? 'no answer');
        const lost = (said[index] ?? []).filter((words) => !text.includes(words));
        if (process.env.SHOW_ANSWERS)
          console.log(`| ${index + 1} | ${tool} | ${client} | ${lost.length === 0 ? 'all' : 'LOST'} |`);
        return lost.length === 0 ? [] : [{ tool, args, lost, text: text.slice(0, 300) }];
      });
      expect(missing).to.deep.equal([]);
      expect(results.length).to.equal(CLIENT_CALLS.length);
    }

    const bin = (name: string) => join(clients, 'node_modules/.bin', name);

    it('S0-09, S1-15: Claude Code gives its model message, instruction and code', async () => {
      const config = join(folder, 'mcp.json');
      const server = { command: process.execPath, args: [MAIN] };
      writeFileSync(config, JSON.stringify({ mcpServers: { castellan: server } }));
      const calls: PlannedCall[] = PLAN.map(([tool, args]) => [`mcp__castellan__${tool}`, args]);
      const allowed = [...new Set(calls.map(([tool]) => tool))].join(' ');
      const args = ['-p', 'go', '--mcp-config', config, '--strict-mcp-config', '--allowedTools', allowed];
      const results = await told(
        calls,
        'claude',
        () => [bin('claude'), ...args],
        (url) => ({
          ANTHROPIC_API_KEY: 'none',
          ANTHROPIC_BASE_URL: url,
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          ENABLE_TOOL_SEARCH: 'false',
        }),
      );
      expectTold('Claude Code', results);
    });

    it('S0-09, S1-15: opencode does', async () => {
      const calls: PlannedCall[] = PLAN.map(([tool, args]) => [`castellan_${tool}`, args]);
      const results = await told(
        calls,
        'opencode',
        () => [bin('opencode'), 'run', 'go'],
        (url) => ({
          OPENCODE_CONFIG_CONTENT: JSON.stringify({
            autoupdate: false,
            model: 'anthropic/claude-sonnet-4-5',
            provider: { anthropic: { options: { baseURL: `${url}/v1`, apiKey: 'none' } } },
            mcp: { castellan: { type: 'local', command: [process.execPath, MAIN], timeout: 60_000 } },
          }),
        }),
      );
      expectTold('opencode', results);
    });

    it('S0-09, S1-15: the AI SDK does', async () => {
      const script = join(clients, 'loop.mjs');
      writeFileSync(script, AI_SDK);
      const results = await told(PLAN, 'ai-sdk', (url, project) => [
        process.execPath,
        script,
        url,
        process.execPath,
        MAIN,
        project,
      ]);
      expectTold('AI SDK', results);
    });
  });
}
