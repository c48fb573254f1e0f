import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import {
  DEPENDENCY_FOLDERS,
  dependencyFolderAbove,
  packageFolderAbove,
} from '../../../../src/domain/permission/path/dependency-folders.js';
import { decide, policyOf, surroundings, verdict } from '../../../support/policy-bench.js';

const NAMES = ['.vscode/tasks.json', '.github/workflows/ci.yml', '.travis.yml', 'CLAUDE.md', '.git/hooks/x'];

describe('a protected name', () => {
  const writes = async (path: string, workspace = '/workspace'): Promise<string> => {
    const request = { surroundings: { ...surroundings, workspace } };
    const policy = await policyOf('extends: [builtin:workspace]\n', request);
    return verdict(decide(policy, 'write_file', { path: `${workspace}/${path}`, content: '' }));
  };

  for (const folder of DEPENDENCY_FOLDERS) {
    it(`is protected at roots and not inside ${folder}`, async () => {
      for (const name of NAMES) {
        expect(await writes(`${folder}/a/${name}`), name).to.equal('allow');
        expect(await writes(`packages/b/${folder}/a/${name}`), name).to.equal('allow');
        expect(await writes(`packages/b/${name}`), name).to.equal('deny PROTECTED');
        expect(await writes(name), name).to.equal('deny PROTECTED');
      }
    });
  }

  it('covers dependency folders that lie in it', async () => {
    for (const path of ['.claude/node_modules/a.js', '.git/vendor/a', '.github/actions/x/node_modules/a.js'])
      expect(await writes(path), path).to.equal('deny PROTECTED');
    expect(await writes('node_modules/a/.claude/node_modules/b.js')).to.equal('allow');
  });

  it('is protected in a workspace that lies in a dependency folder itself', async () => {
    const workspace = '/srv/vendor/mine';
    expect(await writes('.vscode/tasks.json', workspace)).to.equal('deny PROTECTED');
    expect(await writes('vendor/a/.vscode/tasks.json', workspace)).to.equal('allow');
  });

  it('is protected in dependency folders outside of the workspace', async () => {
    const policy = await policyOf('extends: []\ntools: { write_file: { allowed_paths: [/srv] } }\n');
    const decision = decide(policy, 'write_file', { path: '/srv/node_modules/a/CLAUDE.md', content: '' });
    expect(verdict(decision)).to.equal('deny PROTECTED');
  });

  it('stays secret inside dependency folders for the file tools', async () => {
    const policy = await policyOf('extends: [builtin:workspace]\n');
    for (const path of ['node_modules/a/.env', '.venv/lib/a.pem'])
      expect(verdict(decide(policy, 'read_file', { path })), path).to.equal('deny PROTECTED');
  });
});

describe('the folder of dependencies above a path', () => {
  it('is the outermost one', () => {
    expect(dependencyFolderAbove('/w/a/node_modules/b/vendor/c', '/w')).to.equal('/w/a/node_modules');
    expect(dependencyFolderAbove('/w/a/node_modules', '/w')).to.equal(undefined);
    expect(dependencyFolderAbove('/other/node_modules/a', '/w')).to.equal(undefined);
  });

  it('holds repositories that people work in, or not', () => {
    expect(packageFolderAbove('/w/node_modules/a/.git', '/w')).to.equal('/w/node_modules');
    expect(packageFolderAbove('/w/vendor/a/.git', '/w')).to.equal(undefined);
  });
});

describe('the page about the policy', () => {
  it('has the list of dependency folders', () => {
    const page = readFileSync('docs/reference/protected-files.md', 'utf8');
    for (const name of DEPENDENCY_FOLDERS) expect(page).to.include(`\`${name}\``);
  });
});
