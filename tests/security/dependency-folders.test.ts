import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { TwinProjects } from '../support/twin-projects.js';

const POLICY = `version: 1
extends: [builtin:workspace]
tools:
  read_file: { denied_paths: ["**/named.txt"] }
`;

describe('dependency folders', () => {
  let project: TwinProjects;
  const read = async (path: string): Promise<string> => {
    const code = `process.stdout.write(require('fs').readFileSync('${path}', 'utf8'))`;
    const reply = await project.inside(`node -e "${code}"`);
    return reply.value?.stdout ?? '';
  };
  const start = async (): Promise<void> => {
    const policy = join(project.folder, '..', 'policy.yaml');
    writeFileSync(policy, POLICY);
    await project.start(policy);
  };

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
    const hook = await project.inside('printf x > vendor/b/.git/hooks/pre-commit');
    expect(hook.value?.exit_code, JSON.stringify(hook)).to.not.equal(0);
  });
});
