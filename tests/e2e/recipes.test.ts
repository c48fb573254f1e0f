import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkPolicy } from '../../src/composition/cli/check-policy.js';
import { CliWorkspace } from '../support/cli-workspace.js';
import type { CommandReply } from '../support/command-client.js';
import { PersonClient } from '../support/person-client.js';
import { load, powerOf } from '../support/policy-bench.js';
import { compareStatement } from '../support/power-samples.js';
import { Dice } from '../support/random-policies.js';

const PAGE = readFileSync('docs/how-to/policy-recipes.md', 'utf8');
const RECIPES = new Map(
  [...PAGE.matchAll(/^## (.*?)\n.*?```yaml\n(.*?)```/gms)].map(([, title = '', yaml = '']) => [title, yaml]),
);

const ran = (reply: CommandReply): string => {
  expect(reply.value?.exit_code, JSON.stringify(reply)).to.equal(0);
  return reply.value?.stdout ?? '';
};
const refusal = (reply: CommandReply): string | undefined =>
  reply.success ? undefined : reply.error_details?.reason;
const DELETE = { explicit_action: 'DELETE_PATH' };

describe('the recipes', () => {
  let project: CliWorkspace;
  let person: PersonClient;
  const run = (command: string): Promise<CommandReply> => person.call('execute_command', { command });

  beforeEach(() => {
    project = new CliWorkspace();
    person = new PersonClient();
    const scripts = { hello: 'node -p 1+1' };
    project.write('package.json', JSON.stringify({ name: 'p', version: '1.0.0', scripts }));
    project.write('src/a.ts', 'one\n');
    project.write('docs/a.md', 'two\n');
    project.write('data/customers/a.csv', 'somebody\n');
    project.write('data/products.csv', 'thing\n');
    for (const args of [
      ['init', '-q', '-b', 'main'],
      ['config', 'user.name', 'a'],
      ['config', 'user.email', 'a@example.com'],
    ])
      execFileSync('git', args, { cwd: project.folder });
  });
  afterEach(async () => {
    await person.stop();
    await project.remove();
  });

  const start = async (title: string, env: NodeJS.ProcessEnv = {}): Promise<void> => {
    const yaml = RECIPES.get(title);
    if (yaml === undefined) throw new Error(`no recipe ${title}`);
    const policy = join(project.folder, '..', 'policy.yaml');
    writeFileSync(policy, yaml);
    mkdirSync(project.env.HOME ?? '', { recursive: true });
    await person.connect(project.folder, policy, { ...project.env, ...env });
  };

  it('are seven; each passes policy check, and its statement of power is true', async () => {
    expect(RECIPES.size).to.equal(7);
    const file = join(project.folder, '..', 'policy.yaml');
    for (const [title, yaml] of RECIPES) {
      writeFileSync(file, yaml);
      const report = await checkPolicy({ workspace: project.folder, policy: file, environment: project.env });
      expect(report.problems, title).to.deep.equal([]);
      const warned = title.includes('docker') ? ['Commands run without a sandbox.'] : [];
      expect(
        report.warnings.map(({ message }) => message),
        title,
      ).to.deep.equal(warned);
      const loaded = await load(yaml);
      const dice = new Dice(35);
      for (let left = 10; left > 0; left -= 1)
        expect(compareStatement(loaded, powerOf(loaded), dice).wrong, title).to.deep.equal([]);
    }
  });

  it('npm scripts and git, but never push', async () => {
    await start('npm scripts and git, but never push');
    expect(ran(await run('npm run hello'))).to.include('2');
    ran(await run('git add src'));
    ran(await run('git commit -q -m first'));
    expect(execFileSync('git', ['log', '--format=%s'], { cwd: project.folder, encoding: 'utf8' })).to.equal(
      'first\n',
    );
    for (const command of ['git push', 'git -C . push origin main'])
      expect(refusal(await run(command)), command).to.equal('DENIED_COMMAND');
    expect(refusal(await run('ls'))).to.equal('NO_ALLOW');
  });

  it('read src and docs only', async () => {
    await start('Read src and docs only');
    const here = ran(await run('pwd; ls'));
    expect(here).to.equal(`${project.folder}\ndocs\nsrc\n`);
    expect(ran(await run('cat src/a.ts docs/a.md'))).to.equal('one\ntwo\n');
    ran(await run('echo three > src/b.ts'));
    expect(readFileSync(project.path('src/b.ts'), 'utf8')).to.equal('three\n');
    const listed = JSON.stringify(await person.call('list_directory', { path: '.' }));
    expect(listed).to.include('"docs"').and.include('"src"').and.not.include('package.json');
    const found = JSON.stringify(await person.call('search_content', { query: 'name|one|somebody' }));
    expect(found).to.include('src/a.ts').and.not.include('package.json').and.not.include('customers');
    for (const [tool, args] of [
      ['read_file', { path: 'package.json' }],
      ['list_directory', { path: 'data' }],
      ['write_file', { path: 'package.json', content: '' }],
    ] as const) {
      const reply = await person.call(tool, args);
      expect(refusal(reply), tool).to.equal('NO_ALLOW');
      expect(reply.error, tool).to.include('only in src, docs');
      const told = await person.call('explain_permission', { tool, arguments: args });
      expect(JSON.stringify(told), tool).to.include('NO_ALLOW').and.include('only in src, docs');
    }
    const explained = await person.call('explain_permission', {
      tool: 'list_directory',
      arguments: { path: '.' },
    });
    expect(JSON.stringify(explained)).to.include('"allowed":true');
    const unseen = await run("node -p \"require('fs').readdirSync('.').join()\"");
    expect(ran(unseen)).to.equal('docs,src\n');
  });

  it('ask before deleting', async () => {
    await start('Ask before deleting');
    ran(await run('ls'));
    expect(person.questions).to.deep.equal([]);
    person.answer = 'decline';
    expect(refusal(await run('rm src/a.ts'))).to.equal('CONSENT_REQUIRED');
    expect(refusal(await run('for f in src/a.ts; do rm "$f"; done'))).to.equal('CONSENT_REQUIRED');
    expect(refusal(await person.call('delete_path', { path: 'src/a.ts', ...DELETE }))).to.equal(
      'CONSENT_REQUIRED',
    );
    expect(existsSync(project.path('src/a.ts'))).to.equal(true);
    person.answer = 'accept';
    ran(await run('rm src/a.ts'));
    expect(existsSync(project.path('src/a.ts'))).to.equal(false);
    expect(person.questions).to.have.length(4);
  });

  it('one docker subcommand', async () => {
    // Not in /tmp: commands could have put a program there, so that no rule by name means it.
    const programs = mkdtempSync('/var/tmp/castellan-bin-');
    after(() => rmSync(programs, { recursive: true, force: true }));
    writeFileSync(join(programs, 'docker'), '#!/bin/sh\necho "stub: $*"\n');
    chmodSync(join(programs, 'docker'), 0o755);
    await start('One docker subcommand', { PATH: `${programs}:${process.env.PATH}` });
    expect(ran(await run('docker ps --all'))).to.equal('stub: ps --all\n');
    for (const command of ['docker run alpine', 'docker', 'docker ps; docker rm x', 'docker images', 'ls'])
      expect(refusal(await run(command)), command).to.equal('NO_ALLOW');
    const hint = (await run('docker images')).error ?? '';
    expect(hint)
      .to.include('[docker, images]')
      .and.not.match(/command: (?:docker|\[docker\])/);
  });

  it('two projects, one policy', async () => {
    const config = join(project.env.XDG_CONFIG_HOME ?? '', 'castellan');
    mkdirSync(config, { recursive: true });
    const own = join(config, 'permissions.yaml');
    writeFileSync(own, RECIPES.get('Two projects, one policy') ?? '', { mode: 0o600 });
    const other = join(project.folder, '..', 'other');
    mkdirSync(other);
    for (const workspace of [project.folder, other]) {
      const client = new PersonClient();
      await client.connect(workspace, undefined, project.env);
      try {
        expect((await client.call('write_file', { path: 'a.txt', content: 'x' })).success).to.equal(true);
        expect(refusal(await client.call('write_file', { path: 'generated/a.ts', content: '' }))).to.equal(
          'DENIED_PATH',
        );
        const outside = workspace === other ? project.folder : other;
        expect(refusal(await client.call('read_file', { path: join(outside, 'a.txt') }))).to.equal(
          'NO_ALLOW',
        );
        ran(await client.call('execute_command', { command: 'ls' }));
      } finally {
        await client.stop();
      }
    }
    for (const workspace of [project.folder, other])
      expect(existsSync(join(workspace, 'a.txt'))).to.equal(true);
  });

  it('hide data/customers', async () => {
    await start('Hide data/customers');
    for (const [tool, args] of [
      ['read_file', { path: 'data/customers/a.csv' }],
      ['list_directory', { path: 'data/customers' }],
      ['execute_command', { command: 'cat data/customers/a.csv' }],
    ] as const)
      expect(refusal(await person.call(tool, args)), tool).to.equal('DENIED_PATH');
    const found = JSON.stringify(await person.call('search_content', { query: 'somebody|thing' }));
    expect(found).to.include('products').and.not.include('customers');
    const seen = await run(
      "node -e \"console.log(require('fs').readFileSync('data/customers/a.csv', 'utf8'))\"",
    );
    expect(seen.value?.stdout).to.equal('');
    expect(seen.instruction).to.include('the policy hides');
    expect(ran(await run('cat data/products.csv'))).to.equal('thing\n');
  });

  it('CI that fails instead of asking', async () => {
    await start('CI that fails instead of asking');
    expect(refusal(await person.call('delete_path', { path: 'src/a.ts', ...DELETE }))).to.equal(
      'CONSENT_UNAVAILABLE',
    );
    expect(refusal(await run('rm -rf .'))).to.equal('CONSENT_UNAVAILABLE');
    ran(await run('rm -rf docs && ls'));
    expect(person.questions).to.deep.equal([]);
    expect(existsSync(project.path('src/a.ts'))).to.equal(true);
  });
});
