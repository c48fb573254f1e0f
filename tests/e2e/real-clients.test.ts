import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { ModelStandIn, type PlannedCall, type ToldResult } from '../support/model-stand-in.js';
import { MAIN, PROJECT } from '../support/spawned-server.js';

const PACKAGES = ['@anthropic-ai/claude-code@2.1.197', 'opencode-ai@1.18.33'];
const POLICY = join(PROJECT, 'docs/policies/personal.yaml');
const SERVER = [MAIN, 'serve', '--policy', POLICY];

/** Find, read, run, fix, run again, commit. */
const TASK: readonly PlannedCall[] = [
  ['search_files', { pattern: '*.js' }],
  ['search_content', { query: 'sum' }],
  ['read_file', { path: 'test.js' }],
  ['execute_command', { command: 'node test.js' }],
  ['read_file', { path: 'sum.js' }],
  ['edit_file', { path: 'sum.js', old_text: 'a - b', new_text: 'a + b' }],
  ['execute_command', { command: 'node test.js' }],
  ['execute_command', { command: 'git add sum.js' }],
  ['execute_command', { command: "git commit -m 'Add, not subtract'" }],
  ['execute_command', { command: 'git log --format=%s' }],
];

/** They are 500 MB together: only the long run fetches them. */
if (process.env.CASTELLAN_LONG === '1') {
  describe('a task of ten calls, with a stand-in for the model', () => {
    let folder: string;

    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'castellan-clients-'));
      writeFileSync(join(folder, 'package.json'), '{"private":true}');
      execFileSync('npm', ['install', '--no-audit', '--no-fund', ...PACKAGES], { cwd: folder });
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    it('goes through in Claude Code, which gives its model our text', async () => {
      const workspace = brokenProject(join(folder, 'claude'));
      const config = join(folder, 'mcp.json');
      const server = { command: process.execPath, args: SERVER };
      writeFileSync(config, JSON.stringify({ mcpServers: { castellan: server } }));
      const calls: PlannedCall[] = TASK.map(([tool, args]) => [`mcp__castellan__${tool}`, args]);
      const allowed = ['WaitForMcpServers', ...new Set(calls.map(([tool]) => tool))].join(' ');
      const args = ['-p', 'fix it', '--mcp-config', config, '--strict-mcp-config', '--allowedTools', allowed];
      const told = await runClient(
        workspace,
        [['WaitForMcpServers', {}], ...calls],
        'claude',
        args,
        (url) => ({
          ANTHROPIC_API_KEY: 'none',
          ANTHROPIC_BASE_URL: url,
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        }),
      );
      // It has the tool that waits only while there is something to wait for.
      expectFixed(workspace, told.slice(1));
    });

    it('goes through in opencode, which gives its model our text', async () => {
      const workspace = brokenProject(join(folder, 'opencode'));
      const calls: PlannedCall[] = TASK.map(([tool, args]) => [`castellan_${tool}`, args]);
      const told = await runClient(workspace, calls, 'opencode', ['run', 'fix it'], (url) => {
        const config = {
          autoupdate: false,
          model: 'anthropic/claude-sonnet-4-5',
          provider: { anthropic: { options: { baseURL: `${url}/v1`, apiKey: 'none' } } },
          mcp: { castellan: { type: 'local', command: [process.execPath, ...SERVER], timeout: 60_000 } },
        };
        return { OPENCODE_CONFIG_CONTENT: JSON.stringify(config) };
      });
      expectFixed(workspace, told);
    });

    async function runClient(
      cwd: string,
      plan: readonly PlannedCall[],
      program: string,
      args: readonly string[],
      environment: (url: string) => Readonly<Record<string, string>>,
    ): Promise<readonly ToldResult[]> {
      const model = new ModelStandIn(plan);
      const url = await model.open();
      const home = join(folder, `${program}-home`);
      mkdirSync(home);
      try {
        const client = spawn(join(folder, 'node_modules/.bin', program), args, {
          cwd,
          env: { PATH: process.env.PATH, HOME: home, ...environment(url) },
          stdio: 'ignore',
        });
        const [code] = await once(client, 'exit');
        expect(code).to.equal(0);
        return model.results;
      } finally {
        model.close();
      }
    }
  });
}

function brokenProject(folder: string): string {
  mkdirSync(folder);
  writeFileSync(join(folder, 'sum.js'), 'exports.sum = (a, b) => a - b;\n');
  writeFileSync(
    join(folder, 'test.js'),
    "require('node:assert').equal(require('./sum.js').sum(2, 3), 5);\nconsole.log('all good');\n",
  );
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder });
  git('init', '--quiet');
  git('config', 'user.name', 'Somebody');
  git('config', 'user.email', 'somebody@example.com');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Begin');
  return folder;
}

function expectFixed(workspace: string, results: readonly ToldResult[]): void {
  expect(results.filter(({ failed }) => failed)).to.deep.equal([]);
  expect(results).to.have.length(TASK.length);
  const told = results.map(({ text }) => text);
  expect(told[0]).to.equal('sum.js\ntest.js');
  expect(told[3]).to.include('-1 == 5');
  expect(told[6]).to.equal('all good\n');
  expect(told[9]).to.equal('Add, not subtract\nBegin\n');
  expect(readFileSync(join(workspace, 'sum.js'), 'utf8')).to.include('a + b');
}
