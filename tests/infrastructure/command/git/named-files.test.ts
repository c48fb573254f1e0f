import { chmodSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { namedInside } from '../../../../src/infrastructure/command/git/named-files.js';
import { GitGround } from '../../../support/git-ground.js';

describe('Files of a workspace that git configurations name', () => {
  let ground: GitGround;

  beforeEach(() => {
    ground = new GitGround();
    for (const name of ['tools/run.sh', 'tools/filter.js', 'plain.txt', 'run'])
      ground.write(`ws/${name}`, 'x\n');
    for (const name of ['tools/run.sh', 'run']) chmodSync(join(ground.workspace, name), 0o755);
  });

  afterEach(() => ground.remove());

  function named(): readonly string[] {
    const { workspace, home } = ground;
    return namedInside(join(workspace, '.git'), workspace, home).map((path) => relative(workspace, path));
  }

  for (const [key, value, expected] of [
    ['core.hooksPath', '.husky', ['.husky']],
    ['core.hooksPath', '.git/hooks', []],
    ['include.path', '../team.gitconfig', ['team.gitconfig']],
    ['includeIf.onbranch:main.path', '../cfg/x.inc', ['cfg/x.inc']],
    ['core.fsmonitor', 'tools/run.sh', ['tools/run.sh']],
    ['core.fsmonitor', 'true', []],
    ['core.fsmonitor', 'not/there.sh', ['not/there.sh']],
    ['core.attributesFile', './attributes', ['attributes']],
    ['core.excludesFile', './ignored', []],
    ['init.templateDir', 'template', ['template']],
    ['filter.x.clean', './tools/run.sh %f', ['tools/run.sh']],
    ['filter.x.process', 'node tools/filter.js', ['tools/filter.js']],
    ['filter.x.smudge', 'git-lfs smudge -- %f', []],
    ['diff.x.textconv', 'sh -c "tools/run.sh; cat"', ['tools/run.sh']],
    ['merge.x.driver', 'env A=1 ./run %O %A %B', ['run']],
    ['alias.ci', 'commit -a plain.txt', []],
    ['core.sshCommand', 'ssh -i ~/.ssh/id', []],
    ['remote.origin.url', './remote.git', []],
    ['user.name', 'a/b', []],
  ] as const) {
    it(`${key} = ${value}`, () => {
      ground.git('config', key, value);
      expect(named()).to.deep.equal(expected);
    });
  }

  it('are found in what is included, and in the configuration of the user', () => {
    ground.write('ws/team.gitconfig', '[core]\n\tfsmonitor = tools/run.sh\n');
    ground.git('config', 'include.path', '../team.gitconfig');
    ground.git('config', '--global', 'diff.external', './tools/diff');
    expect([...named()].sort()).to.deep.equal(['team.gitconfig', 'tools/diff', 'tools/run.sh']);
  });

  it('are looked for again when a configuration changes', () => {
    expect(named()).to.deep.equal([]);
    ground.git('config', 'core.fsmonitor', './run');
    expect(named()).to.deep.equal(['run']);
  });
});
