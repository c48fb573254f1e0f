import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { trackedDenials } from '../../../../../src/composition/configuration/tracked-denials.js';
import { trackedPaths } from '../../../../../src/infrastructure/command/git/index/tracked-paths.js';
import { GitGround } from '../../../../support/git-ground.js';
import { policyOf, surroundings } from '../../../../support/policy-bench.js';

describe('The paths that git tracks', () => {
  let ground: GitGround;
  beforeEach(() => {
    ground = new GitGround();
  });
  afterEach(() => ground.remove());

  it('are read from the index, without git', () => {
    const names = ground
      .git('ls-files', '-z')
      .split('\0')
      .filter((name) => name !== '');
    expect(names).to.not.have.length(0);
    expect([...trackedPaths(ground.workspace)].sort()).to.deep.equal(
      names.map((name) => join(ground.workspace, name)).sort(),
    );
  });

  it('are none where there is no repository, and where the index is no index', () => {
    const bare = join(ground.root, 'bare');
    mkdirSync(bare);
    expect(trackedPaths(bare)).to.deep.equal([]);
    writeFileSync(join(ground.workspace, '.git/index'), 'no index at all, by far');
    expect(trackedPaths(ground.workspace)).to.deep.equal([]);
  });

  it('and that the policy denies are told with what to do; others are not', async () => {
    const denying = (list: string) =>
      policyOf(`extends: [builtin:workspace]\ntools: { read_file: { denied_paths: [${list}] } }`, {
        surroundings: { ...surroundings, workspace: ground.workspace },
      });
    const [told, ...more] = trackedDenials(await denying('sub'), ground.workspace);
    expect(told).to.match(/denies sub\/c\.txt, and git tracks them: git show .* still print/);
    expect(more).to.deep.equal([]);
    expect(trackedDenials(await denying('other'), ground.workspace)).to.deep.equal([]);
    expect(trackedDenials(await policyOf('extends: [builtin:workspace]'), ground.workspace)).to.deep.equal(
      [],
    );
  });
});
