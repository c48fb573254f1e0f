import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import type { CommandReply } from '../support/command-client.js';
import { PackageRegistry, SHIPPED } from '../support/package-registry.js';
import { type Same, TwinProjects } from '../support/twin-projects.js';

const policyFile = (name: string): string => resolve('docs/policies', `${name}.yaml`);

/** git keeps times and addresses; what it keeps is asked by its own commands. */
const project: Same = (path, text) => (path.startsWith('.git/') ? undefined : text);

const SCRIPTS = {
  build:
    "node -e \"require('fs').mkdirSync('dist', { recursive: true }); require('fs').writeFileSync('dist/a.js', require('tool'))\"",
  test: "node -e \"require('assert').equal(require('tool'), 'tool@1.0.0')\"",
};

function git(folder: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' });
}

function refused(reply: CommandReply, reason: string): void {
  expect(reply.success, JSON.stringify(reply)).to.equal(false);
  expect(reply.error_details?.reason, JSON.stringify(reply)).to.equal(reason);
}

describe('the policies of docs/policies, each in a project of its kind', () => {
  const registry = new PackageRegistry();
  let twins: TwinProjects;
  const inside = async (command: string): Promise<CommandReply> => {
    const reply = await twins.inside(command);
    expect(reply.value?.exit_code, `${command}: ${JSON.stringify(reply)}`).to.equal(0);
    return reply;
  };

  before(async () => {
    registry.add('tool', '1.0.0', SHIPPED);
    registry.add('other', '1.0.0', SHIPPED);
    await registry.listen();
  });
  after(() => registry.close());

  beforeEach(() => {
    twins = new TwinProjects();
    twins.write('.gitignore', 'node_modules\ndist\n.venv\n');
    twins.write('src/a.js', '1;\n');
    for (const folder of [twins.folder, twins.outside]) {
      git(folder, 'init', '-q', '-b', 'main');
      git(folder, 'config', 'user.name', 'a');
      git(folder, 'config', 'user.email', 'a@example.com');
      git(folder, 'add', '-A');
      git(folder, 'commit', '-q', '-m', 'first');
    }
  });
  afterEach(() => twins.stop());

  const node = (dependencies: object): void =>
    twins.write(
      'package.json',
      `${JSON.stringify({ name: 'p', version: '1.0.0', scripts: SCRIPTS, dependencies })}\n`,
    );

  async function commits(path: string): Promise<void> {
    await inside(`git add ${path}`);
    await inside('git commit -q -m second');
    expect(git(twins.folder, 'log', '--format=%s')).to.equal('second\nfirst\n');
  }

  it('team-repository: install, build, test and commit as outside; pushing is refused', async function () {
    this.timeout(180_000);
    node({ tool: '1.0.0' });
    await twins.start(policyFile('team-repository'));
    const from = `--registry=${registry.url}`;
    for (const line of [`npm install ${from}`, `npm ci ${from}`, 'npm run build', 'npm test'])
      await twins.both(line, project);
    for (const line of [`npm install other ${from}`, `npm uninstall other ${from}`])
      await twins.both(line, project);
    expect(twins.person.questions).to.have.length(4);
    twins.person.answer = 'decline';
    refused(await twins.inside(`npm ci ${from} --ignore-scripts`), 'CONSENT_REQUIRED');
    refused(await twins.inside('git push'), 'DENIED_COMMAND');
    refused(
      await twins.call('edit_file', { path: 'package.json', edits: [{ old_text: 'p', new_text: 'q' }] }),
      'NO_ALLOW',
    );
    expect((await twins.call('write_file', { path: 'src/b.js', content: '2;\n' })).success).to.equal(true);
    await commits('src');
  });

  it('personal: any program without the network, deleting asks', async function () {
    this.timeout(120_000);
    node({ tool: 'file:packages/tool.tgz' });
    mkdirSync(join(twins.folder, 'packages'));
    const tarball = await fetch(`${registry.url}/tool/-/tool-1.0.0.tgz`);
    writeFileSync(join(twins.folder, 'packages/tool.tgz'), Buffer.from(await tarball.arrayBuffer()));
    await twins.start(policyFile('personal'));
    for (const line of ['npm install', 'npm run build', 'npm test']) await inside(line);
    const offline = await twins.inside('npm install other --fetch-retries=0');
    expect(offline.value?.exit_code).to.not.equal(0);
    expect(JSON.stringify(offline)).to.include('The network is off').and.include('network: full');
    twins.person.answer = 'decline';
    refused(
      await twins.call('delete_path', { path: 'src/a.js', explicit_action: 'DELETE_PATH' }),
      'CONSENT_REQUIRED',
    );
    twins.person.answer = 'accept';
    expect(
      (await twins.call('delete_path', { path: 'src/a.js', explicit_action: 'DELETE_PATH' })).success,
    ).to.equal(true);
    expect(existsSync(join(twins.folder, 'src/a.js'))).to.equal(false);
    await commits('-A');
  });

  it('ci: installs what is there, builds, tests and commits; what would ask fails, and nobody is asked', async function () {
    this.timeout(120_000);
    node({ tool: 'file:packages/tool.tgz' });
    mkdirSync(join(twins.folder, 'packages'));
    const tarball = await fetch(`${registry.url}/tool/-/tool-1.0.0.tgz`);
    writeFileSync(join(twins.folder, 'packages/tool.tgz'), Buffer.from(await tarball.arrayBuffer()));
    await twins.start(policyFile('ci'));
    for (const line of ['npm install', 'npm ci', 'npm run build', 'npm test', 'rm -rf dist'])
      await inside(line);
    refused(
      await twins.call('delete_path', { path: 'src/a.js', explicit_action: 'DELETE_PATH' }),
      'CONSENT_UNAVAILABLE',
    );
    refused(await twins.inside('rm -rf .'), 'CONSENT_UNAVAILABLE');
    expect(twins.person.questions).to.deep.equal([]);
    expect(await twins.person.tools()).to.not.include('delete_path');
    expect(existsSync(join(twins.folder, 'src/a.js'))).to.equal(true);
    await commits('package.json');
  });

  it('read-only-reviewer: reads the tree and its history, and changes nothing', async function () {
    this.timeout(60_000);
    writeFileSync(join(twins.folder, 'src/a.js'), '2;\n');
    await twins.start(policyFile('read-only-reviewer'));
    expect((await inside('git diff')).value?.stdout).to.include('+2;');
    expect((await inside('git log --format=%s')).value?.stdout).to.equal('first\n');
    expect((await inside('grep -r 2 src')).value?.stdout).to.include('src/a.js');
    refused(await twins.inside('npm test'), 'NO_ALLOW');
    refused(await twins.inside('git commit -m x'), 'NO_ALLOW');
    refused(await twins.call('write_file', { path: 'src/b.js', content: '' }), 'NO_ALLOW');
  });

  it('data-science: a model from raw data, which stays as it is', async function () {
    this.timeout(120_000);
    twins.write('data/raw/a.csv', '1\n2\n');
    twins.write('data/personal/a.csv', 'somebody\n');
    twins.write(
      'train.py',
      "import os\nos.makedirs('results', exist_ok=True)\nopen('results/sum.txt', 'w').write(str(sum(map(int, open('data/raw/a.csv')))))\n",
    );
    await twins.start(policyFile('data-science'));
    await twins.both('python3 train.py', project);
    expect(readFileSync(join(twins.folder, 'results/sum.txt'), 'utf8')).to.equal('3');
    const changed = await twins.inside("python3 -c \"open('data/raw/a.csv', 'a').write('9')\"");
    expect(changed.value?.exit_code).to.not.equal(0);
    const seen = await twins.inside('python3 -c "print(open(\'data/personal/a.csv\').read())"');
    expect(seen.value?.exit_code).to.not.equal(0);
    for (const reply of [changed, seen])
      expect(reply.instruction, JSON.stringify(reply)).to.include('the policy');
    await commits('results');
  });
});
