import { expect } from 'chai';
import { describe, it } from 'mocha';
import {
  looseKey,
  settingPasses,
  worksIn,
} from '../../../../../../src/infrastructure/command/git/carrier/rules/config-rules.js';

const PLACE = {
  known: new Set(['../mine.git']),
  mayWorkIn: worksIn('/ws', '/ws/.git/modules/a'),
};

const CASES: readonly (readonly [key: string, value: string, passes: boolean])[] = [
  ['user.name', 'agent', true],
  ['user.name', '-x', false],
  ['remote.origin.url', 'https://example.com/a.git', true],
  ['remote.origin.url', 'git@example.com:a.git', true],
  ['remote.origin.url', './b.git', false],
  ['remote.origin.url', 'file:///srv/b.git', false],
  ['remote.origin.url', 'ext::sh -c x', false],
  ['remote.origin.url', '--upload-pack=x', false],
  ['remote.origin.pushurl', '/srv/b.git', false],
  ['remote.other.url', '../mine.git', true],
  ['remote.origin.uploadpack', 'x', false],
  ['remote.origin.vcs', 'x', false],
  ['branch.main.remote', 'origin', true],
  ['branch.main.remote', './b.git', false],
  ['branch.main.merge', 'refs/heads/main', true],
  ['submodule.a.update', 'checkout', true],
  ['submodule.a.update', '!x', false],
  ['core.worktree', '../../../a', true],
  ['core.worktree', '../../..', false],
  ['core.worktree', '/etc', false],
  ['core.hookspath', 'x', false],
  ['core.fsmonitor', 'x', false],
  ['core.bare', 'true', false],
  ['core.repositoryformatversion', '1', true],
  ['core.repositoryformatversion', '99', false],
  ['extensions.refstorage', 'reftable', false],
  ['alias.x', '!id', false],
  ['include.path', 'x', false],
  ['filter.x.clean', 'x', false],
  ['pull.rebase', 'true', true],
  ['pull.rebase', 'x; y', false],
  ['color.ui', 'auto\nx', false],
];

describe('Settings that pass to the user', () => {
  for (const [key, value, passes] of CASES)
    it(`${key} = ${JSON.stringify(value)}: ${passes}`, () => {
      expect(settingPasses(key, value, PLACE)).to.equal(passes);
    });

  it('never make a remote that has no address, since git would take its name for a path', () => {
    const url = ['remote.a.url', 'https://example.com/a.git'] as const;
    const fetch = ['remote.a.fetch', '+refs/heads/*:refs/remotes/a/*'] as const;
    const branch = ['branch.main.remote', 'a'] as const;
    expect(looseKey([], [url, fetch, branch])).to.equal(undefined);
    expect(looseKey([], [fetch])).to.deep.equal({ key: 'remote.a.fetch', remote: 'a' });
    expect(looseKey([url, branch], [branch])).to.deep.equal({ key: 'branch.main.remote', remote: 'a' });
    expect(looseKey([branch], [branch]), 'so of the user').to.equal(undefined);
    expect(looseKey([], [['branch.main.remote', '.']])).to.equal(undefined);
  });
});
