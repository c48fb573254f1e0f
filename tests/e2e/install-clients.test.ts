import { existsSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { MCP_CLIENTS } from '../../src/domain/client/mcp-client.js';
import { CliWorkspace } from '../support/cli-workspace.js';
import { commandInProcess } from '../support/command-in-process.js';

describe('castellan install', () => {
  let project: CliWorkspace;
  const run = (...args: string[]) => commandInProcess(args, { cwd: project.folder, env: project.env });
  /** The file that a command wrote, from what it printed. */
  const written = (stdout: string) => /^(\S+) written\./m.exec(stdout)?.[1] ?? '';

  beforeEach(() => {
    project = new CliWorkspace();
    mkdirSync(project.env.HOME ?? '', { recursive: true });
  });

  afterEach(() => project.remove());

  for (const client of MCP_CLIENTS) {
    it(`${client}: shows the change, makes it once, and takes it back`, async () => {
      const refused = await run('install', client);
      expect(refused.code).to.equal(2);
      expect(refused.stderr).to.contain('Nothing was written').and.contain('--yes');
      const installed = await run('install', client, '--yes');
      expect(installed.code, installed.stderr).to.equal(0);
      expect(installed.stdout).to.match(/^\+.*castellan/m);
      const path = written(installed.stdout);
      const after = readFileSync(path, 'utf8');
      expect(after).to.contain('castellan').and.not.to.contain('_npx');
      const again = await run('install', client, '--yes');
      expect(again).to.deep.equal({ code: 0, stdout: `${path} has it already.\n`, stderr: '' });
      expect((await run('install', client, '--print')).stdout).to.equal(after.trimEnd().concat('\n'));
      const removed = await run('uninstall', client, '--yes');
      expect(removed.code).to.equal(0);
      expect(existsSync(path)).to.equal(false);
      expect((await run('uninstall', client)).stdout).to.contain('has no castellan');
    });
  }

  it('works in the built command, for settings in JSON and in TOML', async () => {
    project.write('.vscode/mcp.json', '{\n  // mine\n  "servers": {}\n}\n');
    for (const [client, command] of [
      ['claude', '"command": "'],
      ['vscode', '// mine'],
      ['codex', 'command = "'],
    ] as const) {
      const installed = await project.run(['install', client, '--yes']);
      expect(installed, client).to.deep.include({ code: 0, stderr: '' });
      expect(readFileSync(written(installed.stdout), 'utf8'))
        .to.contain(command)
        .and.contain('castellan');
      expect(await project.run(['uninstall', client, '--yes']), client).to.deep.include({
        code: 0,
        stderr: '',
      });
    }
  });

  it('keeps what is there: comments, a link, the mode', async () => {
    const text = '{\n  // mine\n  "servers": {\n    "other": { "command": "x" }\n  }\n}\n';
    const target = project.write('dotfiles/mcp.json', text);
    mkdirSync(project.path('.vscode'));
    symlinkSync(target, project.path('.vscode/mcp.json'));
    const mode = statSync(target).mode;
    expect((await run('install', 'vscode', '--yes', '--follow-link')).code).to.equal(0);
    expect(readFileSync(target, 'utf8'))
      .to.contain('// mine')
      .and.contain('"other"')
      .and.contain('"castellan"');
    expect(lstatSync(project.path('.vscode/mcp.json')).isSymbolicLink()).to.equal(true);
    expect(statSync(target).mode).to.equal(mode);
    expect((await run('uninstall', 'vscode', '--yes', '--follow-link')).code).to.equal(0);
    expect(readFileSync(target, 'utf8')).to.equal(text);
  });

  it('changes nothing in a file that it does not understand, and says where', async () => {
    const path = project.write('.cursor/mcp.json', '{ "mcpServers": \n');
    const { code, stderr } = await run('install', 'cursor', '--yes');
    expect(code).to.equal(3);
    expect(stderr).to.contain(`${path}:2:1: This is not valid JSON`);
    expect(readFileSync(path, 'utf8')).to.equal('{ "mcpServers": \n');
  });

  it('refuses clients, scopes and names that there are not', async () => {
    expect((await run('install', 'emacs')).stderr).to.contain('Allowed choices are claude, claude-desktop');
    expect((await run('install', 'windsurf', '--scope', 'project')).stderr).to.contain('Use --scope user');
    expect((await run('install', 'cursor', '--name', 'a b')).stderr).to.contain(
      "'--name <server>' argument 'a b' is invalid",
    );
  });

  it("writes the user's file where it is asked to", async () => {
    const { stdout } = await run('install', 'gemini', '--scope', 'user', '--yes');
    expect(written(stdout)).to.equal(join(project.env.HOME ?? '', '.gemini', 'settings.json'));
  });
});
