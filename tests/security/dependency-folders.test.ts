import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { TwinProjects } from '../support/twin-projects.js';

const policyWith = (except = '', allow = ''): string => `version: 1
extends: [builtin:workspace]
tools:
  read_file: { denied_paths: [{ path: "**/named.txt"${except === '' ? '' : `, ${except}`} }] }
${allow}
`;

describe('dependency folders', () => {
  let project: TwinProjects;
  const read = async (path: string): Promise<string> => {
    const code = `process.stdout.write(require('fs').readFileSync('${path}', 'utf8'))`;
    const reply = await project.inside(`node -e "${code}"`);
    return reply.value?.stdout ?? '';
  };
  const start = async (text = policyWith()): Promise<void> => {
    const policy = join(project.folder, '..', 'policy.yaml');
    writeFileSync(policy, text);
    await project.start(policy);
  };
  const listed = (): readonly string[] => project.trees((_, text) => text)[0];

  beforeEach(async () => {
    project = new TwinProjects();
    for (const [path, text] of [
      ['node_modules/a/package.json', '{}'],
      ['node_modules/a/.env', 'shipped'],
      ['node_modules/a/named.txt', 'named'],
      ['node_modules/.env', 'mine'],
      ['.venv/.env', 'mine'],
      ['target/.env', 'mine'],
      ['config/.env', 'mine'],
      ['config/.aws/credentials', 'mine'],
    ] as const)
      project.write(path, text);
    await start();
  });
  afterEach(() => project.stop());

  it('show what packages ship, and nothing else that is secret', async () => {
    expect(await read('node_modules/a/.env')).to.equal('shipped');
    for (const path of ['node_modules/.env', '.venv/.env', 'target/.env', 'config/.env'])
      expect(await read(path), path).to.equal('');
    expect(await read('node_modules/a/named.txt')).to.equal('');
  });

  it('make nothing a package that was a secret before, nor after a restart', async () => {
    expect((await project.inside('mv config node_modules/a/')).value?.exit_code).to.equal(0);
    for (const path of ['.env', '.aws/credentials'])
      expect(await read(`node_modules/a/config/${path}`), path).to.equal('');
    await project.end();
    await start();
    for (const path of ['.env', '.aws/credentials'])
      expect(await read(`node_modules/a/config/${path}`), path).to.equal('');
    expect(await read('node_modules/a/.env')).to.equal('shipped');
  });

  it('hold repositories that nobody works in; those below vendor keep their hooks closed', async () => {
    for (const folder of ['node_modules/c', 'vendor/b']) {
      mkdirSync(join(project.folder, folder), { recursive: true });
      expect((await project.inside(`git init -q ${folder}`)).value?.exit_code, folder).to.equal(0);
    }
    const removed = await project.inside('rm -rf node_modules/c');
    expect(removed.value?.exit_code, JSON.stringify(removed)).to.equal(0);
    await project.inside('printf x > vendor/b/.git/hooks/pre-commit');
    expect(existsSync(join(project.folder, 'vendor/b/.git/hooks/pre-commit'))).to.equal(false);
  });

  const REFUSED = [
    'rm -rf node_modules',
    'rm -rf node_modules/a',
    'rm -rf node_modules/*',
    'cd node_modules && rm -r ./a',
    'rm -rf dist && npm ci',
    'npm uninstall a',
    'npm install',
    'find . -name node_modules -prune -exec rm -rf {} +',
    'if true; then rm -rf "$PWD/x" node_modules; fi',
  ];
  for (const line of REFUSED) {
    it(`are not left half-removed: ${line}`, async () => {
      const before = listed();
      const reply = await project.inside(line);
      expect(reply.success, JSON.stringify(reply)).to.equal(false);
      expect(JSON.stringify(reply)).to.contain('PROTECTED').and.contain('node_modules/a/named.txt');
      expect(listed()).to.deep.equal(before);
    });
  }

  it('can be changed where nothing of the policy is in the way', async () => {
    project.write('node_modules/b/index.js', '');
    project.write('web/node_modules/c/.env', 'shipped');
    for (const line of ['rm -rf node_modules/b', 'rm -rf web', 'npm --prefix=config install', 'npm ls'])
      expect(JSON.stringify(await project.inside(line)), line).not.to.contain('PROTECTED');
    for (const path of ['node_modules/b', 'web'])
      expect(existsSync(join(project.folder, path)), path).to.equal(false);
  });

  it('go as outside once the policy has what the refusal proposes', async () => {
    const refused = JSON.stringify(await project.inside('rm -rf node_modules')).replaceAll('\\"', '"');
    const proposed = (key: string): string | undefined =>
      new RegExp(`${key}: \\[[^\\]]*\\]`).exec(refused)?.[0];
    await project.end();
    await start(policyWith(proposed('except'), proposed('also_allow')));
    const removed = await project.inside('rm -rf node_modules');
    expect(removed.value?.exit_code, JSON.stringify(removed)).to.equal(0);
    expect(existsSync(join(project.folder, 'node_modules'))).to.equal(false);
  });
});
