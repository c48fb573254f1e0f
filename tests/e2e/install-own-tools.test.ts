import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { CLIENT_FACTS } from '../../src/domain/client/client-facts.js';
import { HOOK_CLIENTS, isHookClient, MCP_CLIENTS } from '../../src/domain/client/mcp-client.js';
import { CliWorkspace } from '../support/cli-workspace.js';
import { commandInProcess } from '../support/command-in-process.js';

/** What is in the files of a client before we come: of every way to write them something. */
const SETTINGS: Readonly<Record<string, string>> = {
  '.mcp.json': '{\r\n\t"mcpServers": { "other": { "command": "x" } }\r\n}',
  '.claude/settings.json':
    '\uFEFF{ // mine\n  "permissions": { "deny": ["Read(./.env)",], "allow": [] },\n  "hooks": { "PreToolUse": [ { "matcher": "Bash", "hooks": [] } ] }\n}\n\n',
  '.gemini/settings.json': '{"tools":{"core":["read_file"]},"mcpServers":{}}',
  'opencode.json': '{\n    "permission": {\n        "bash": "ask"\n    }\n}\n',
  '.cursor/hooks.json': '{ "version": 1, "hooks": {} }',
};

const CODEX = `# mine
model = "gpt-5.5"
sandbox_mode = "workspace-write" # as I like it

[features]
web_search = true
shell_tool = true

[mcp_servers.other]
command = "x"
args = [
  "[not.a.table]",
]
`;

describe("castellan install and a client's own tools", () => {
  let project: CliWorkspace;
  let home: string;
  const run = (...args: string[]) => commandInProcess(args, { cwd: project.folder, env: project.env });

  beforeEach(() => {
    project = new CliWorkspace();
    home = project.env.HOME ?? '';
    mkdirSync(home, { recursive: true });
  });

  afterEach(() => project.remove());

  /** Every file below the project and the home, byte for byte. */
  const picture = () =>
    Object.fromEntries(
      [project.folder, home].flatMap((folder) =>
        readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
          const path = join(entry.parentPath, entry.name);
          return [path, entry.isFile() ? readFileSync(path, 'latin1') : 'folder'];
        }),
      ),
    );
  const writeAll = () => {
    for (const [name, text] of Object.entries(SETTINGS)) project.write(name, text);
    mkdirSync(join(home, '.codex'));
    writeFileSync(join(home, '.codex', 'config.toml'), CODEX);
  };
  const options = (client: string) => [
    ...(CLIENT_FACTS[MCP_CLIENTS.find((name) => name === client) ?? 'claude'].exclusive
      ? ['--exclusive']
      : []),
    ...(isHookClient(client) ? ['--hooks'] : []),
  ];

  for (const before of ['settings of its own', 'none'])
    for (const client of HOOK_CLIENTS)
      it(`${client} with ${before}: uninstall leaves every byte as it was`, async () => {
        if (before !== 'none') writeAll();
        const was = picture();
        const installed = await run('install', client, ...options(client), '--yes');
        expect(installed.code, installed.stderr).to.equal(0);
        const then = picture();
        expect(then).not.to.deep.equal(was);
        const again = await run('install', client, ...options(client), '--yes');
        expect(again.stdout).to.contain('has it already');
        expect(picture()).to.deep.equal(then);
        const removed = await run('uninstall', client, '--yes');
        expect(removed.code, removed.stderr).to.equal(0);
        expect(picture()).to.deep.equal(was);
      });

  it('takes several installations back at once', async () => {
    writeAll();
    const was = picture();
    for (const options of [[], ['--hooks'], ['--exclusive']])
      expect((await run('install', 'claude', ...options, '--yes')).code).to.equal(0);
    expect((await run('uninstall', 'claude', '--yes')).code).to.equal(0);
    expect(picture()).to.deep.equal(was);
  });

  it('takes back what is ours where somebody changed the file since, and leaves that', async () => {
    const path = project.write('.claude/settings.json', '{\n  "model": "opus"\n}\n');
    await run('install', 'claude', '--hooks', '--exclusive', '--yes');
    const changed = readFileSync(path, 'utf8').replace('"opus"', '"sonnet"');
    writeFileSync(path, changed);
    expect((await run('uninstall', 'claude', '--yes')).code).to.equal(0);
    expect(readFileSync(path, 'utf8')).to.equal('{\n  "model": "sonnet"\n}\n');
  });

  it('takes back one of two names', async () => {
    await run('install', 'claude', '--yes');
    await run('install', 'claude', '--name', 'second', '--yes');
    expect((await run('uninstall', 'claude', '--yes')).code).to.equal(0);
    const { mcpServers } = JSON.parse(readFileSync(project.path('.mcp.json'), 'utf8'));
    expect(Object.keys(mcpServers)).to.deep.equal(['second']);
  });

  it('says what the client keeps, what is left, and what has to be confirmed', async () => {
    const plain = await run('install', 'claude', '--yes');
    expect(plain.stdout)
      .to.contain('keeps its own tools')
      .and.contain('--exclusive')
      .and.contain('--hooks')
      .and.contain('Pending approval');
    expect((await run('install', 'codex', '--exclusive', '--yes')).stdout).to.contain('apply_patch');
    expect((await run('install', 'gemini', '--hooks', '--yes')).stdout)
      .to.contain('not contained')
      .and.contain('If the hook fails: open');
  });

  it('says where a client cannot, and what to do instead', async () => {
    expect(await run('install', 'cursor', '--exclusive')).to.deep.include({ code: 2, stdout: '' });
    expect((await run('install', 'cursor', '--exclusive')).stderr).to.contain(
      'castellan install cursor --hooks',
    );
    expect((await run('install', 'windsurf', '--hooks')).stderr).to.contain('Leave --hooks out');
    expect((await run('install', 'claude-desktop', '--exclusive')).stderr).to.contain(
      'no file or shell tools',
    );
  });

  it('prints every file with --print and writes none', async () => {
    const was = picture();
    const { stdout } = await run('install', 'claude', '--exclusive', '--hooks', '--print');
    expect(stdout).to.contain('"mcpServers"').and.contain('"deny"').and.contain('"PreToolUse"');
    expect(picture()).to.deep.equal(was);
  });

  it('does not write hooks through a link unasked', async () => {
    const outside = join(dirname(project.folder), 'outside');
    mkdirSync(outside);
    symlinkSync(outside, project.path('.claude'));
    const refused = await run('install', 'claude', '--hooks', '--yes');
    expect(refused.code).to.equal(3);
    expect(refused.stderr).to.contain('is a symbolic link');
    expect(readdirSync(outside)).to.deep.equal([]);
    expect(existsSync(project.path('.mcp.json'))).to.equal(false);
  });
});
