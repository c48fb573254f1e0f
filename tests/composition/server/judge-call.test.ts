import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { JudgeCallHandler } from '../../../src/application/call/pipeline/judge-call.js';
import type { Castellan } from '../../../src/composition/server/castellan.js';
import { createCastellan } from '../../../src/composition/server/create-castellan.js';

const POLICY = `
extends: [builtin:workspace]
tools:
  execute_command:
    denied_commands: [{ command: [git, push] }]
`;

/** The hook and the tool itself have to come to the same. */
describe('judging a call that a client makes itself', () => {
  let root: string;
  let castellan: Castellan;
  const project = () => join(root, 'project');

  beforeEach(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-judge-')));
    const outside = join(root, 'outside');
    for (const folder of [project(), outside, join(project(), 'src'), join(project(), '.git')])
      mkdirSync(folder);
    const files = { 'a.txt': 'a\n', '.env': 'SECRET=1\n', 'src/b.ts': 'b\n', '.git/config': '' };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(project(), name), text);
    writeFileSync(join(outside, 'o.txt'), 'outside\n');
    symlinkSync('.env', join(project(), 'innocent.txt'));
    symlinkSync(outside, join(project(), 'out'));
    symlinkSync('.git', join(project(), 'repository'));
    linkSync(join(project(), '.env'), join(project(), 'twin.txt'));
    const policy = join(root, 'permissions.yaml');
    writeFileSync(policy, POLICY);
    castellan = await createCastellan({ workspace: project(), policy, logLevel: 'silent' });
  });

  afterEach(async () => {
    await castellan.close();
    rmSync(root, { recursive: true, force: true });
  });

  const judge = (tool: string, args: object, more: object = {}) =>
    castellan.container.get(JudgeCallHandler).handle({
      sessionId: 'claude:1',
      client: 'claude',
      ownTool: 'Own',
      tool,
      arguments: { ...args },
      asks: true,
      ...more,
    });

  const reads = ['a.txt', 'src/b.ts', '.env', 'innocent.txt', 'twin.txt', 'out/o.txt', '../outside/o.txt'];
  for (const path of [...reads, 'out/../.env', './src/../.env', '/etc/passwd'])
    it(`read_file ${path}: as the tool itself`, async () => {
      const { effect } = await judge('read_file', { path });
      const made = await castellan.execute('read_file', { path });
      expect(effect).to.equal(made.success ? 'allow' : 'deny');
    });

  const writes = ['new.txt', 'deep/er/new.txt', '.env', '.git/hooks/pre-commit', 'repository/hooks/x'];
  for (const path of [...writes, 'out/new.txt', 'out/deep/new.txt', 'innocent.txt', '../outside/new.txt'])
    it(`write_file ${path}: as the tool itself`, async () => {
      const call = { path, content: 'x\n' };
      const { effect } = await judge('write_file', call);
      const made = await castellan.execute('write_file', { ...call, create_dirs: true });
      expect(effect).to.equal(made.success ? 'allow' : 'deny');
    });

  const commands = [
    'ls -la',
    'cat .env',
    'git push origin main',
    'git status && git push',
    'echo x > .git/config',
  ];
  for (const command of [...commands, 'cat a.txt', 'cp .env b.txt'])
    it(`execute_command ${command}: as the policy explains it`, async () => {
      const { effect } = await judge('execute_command', { command });
      const explained = await castellan.execute('explain_permission', {
        tool: 'execute_command',
        arguments: { command },
      });
      if (!explained.success) throw new Error(explained.error.message);
      const text = JSON.stringify(explained.value.structured?.value);
      expect(effect).to.equal(text.includes('"allowed":true') ? 'allow' : 'deny');
    });

  it('asks where the tool would, and refuses where the client cannot', async () => {
    const call = { path: 'a.txt', explicit_action: 'DELETE_PATH' };
    const asked = await judge('delete_path', call);
    expect(asked).to.include({ effect: 'ask' });
    const refused = await judge('delete_path', call, { asks: false });
    expect(refused).to.include({ effect: 'deny' });
    expect(JSON.stringify(refused)).to.contain('cannot ask for it here');
  });

  it('refuses a search that would open what ours leaves out, and lets it search one file', async () => {
    const whole = { everythingBelow: true };
    expect(await judge('search_content', { path: '.', query: 'S' }, whole)).to.include({ effect: 'deny' });
    expect(await judge('search_content', { path: 'a.txt', query: 'S' }, whole)).to.include({
      effect: 'allow',
    });
    expect(await judge('search_content', { path: '.env', query: 'S' }, whole)).to.include({ effect: 'deny' });
  });

  it('says what is missing where the policy has no such tool', async () => {
    const judged = await judge('no_such_tool', {});
    expect(judged).to.include({ effect: 'deny' });
    expect(JSON.stringify(judged)).to.contain('Tell the user');
  });
});
