import { expect } from 'chai';
import { describe, it } from 'mocha';
import {
  isRefName,
  isRefValue,
} from '../../../../../../src/infrastructure/command/git/carrier/rules/ref-names.js';
import {
  isData,
  passing,
} from '../../../../../../src/infrastructure/command/git/carrier/rules/state-rules.js';

const HASH = '0123456789012345678901234567890123456789';

describe('Files of a git folder that pass to the user', () => {
  for (const name of [
    'MERGE_HEAD',
    'FETCH_HEAD',
    'logs/HEAD',
    'rebase-merge/done',
    'info/exclude',
    'shallow',
  ])
    it(`may be ${name}`, () => {
      expect(isData(name)).to.equal(true);
    });

  for (const name of [
    'hooks/post-commit',
    'config.lock',
    'commondir',
    'objects/info/alternates',
    'info/grafts',
    'remotes/x',
    'BISECT_RUN',
    'rebase-merge/strategy_opts',
    'rebase-merge/gpg_sign_opt',
    'sequencer/../hooks/x',
  ])
    it(`are never ${name}`, () => {
      expect(isData(name)).to.equal(false);
      expect(passing(name, Buffer.from(''))).to.equal(undefined);
    });

  for (const [name, text, passed] of [
    ['MERGE_HEAD', `${HASH}\n`, `${HASH}\n`],
    ['MERGE_HEAD', 'x\n', undefined],
    ['MERGE_MSG', 'a\0b', undefined],
    ['rebase-merge/git-rebase-todo', `pick ${HASH}\nexec ./evil\nx ./evil\nnoop\n`, `pick ${HASH}\nnoop\n`],
    ['rebase-merge/strategy', 'ort\n', 'ort\n'],
    ['rebase-merge/strategy', '../../evil\n', undefined],
    ['rebase-apply/apply-opt', " '-p1'", " '-p1'"],
    ['rebase-apply/apply-opt', " '--unsafe-paths' '--directory=/'", undefined],
    ['rebase-merge/author-script', "GIT_AUTHOR_NAME='a'\n", "GIT_AUTHOR_NAME='a'\n"],
    ['rebase-merge/author-script', "GIT_AUTHOR_NAME='a'; id\n", undefined],
    ['BISECT_NAMES', " 'a' 'b'\n", " 'a' 'b'\n"],
    ['BISECT_NAMES', ' $(id)\n', undefined],
    ['logs/HEAD', 'no log\n', undefined],
  ] as const)
    it(`${name} ${JSON.stringify(text)}`, () => {
      expect(passing(name, Buffer.from(text))?.toString()).to.equal(passed);
    });
});

describe('Refs that pass to the user', () => {
  for (const name of ['refs/heads/main', 'refs/tags/v1.0', 'refs/notes/commits', 'refs/heads/ü/x'])
    it(`may be ${name}`, () => {
      expect(isRefName(name)).to.equal(true);
    });

  for (const name of [
    'refs/heads/-x',
    'refs/heads/../x',
    'refs/heads/a..b',
    'refs/heads/x.lock',
    'refs/heads/.x',
    'refs/heads/x/',
    'refs/heads/a b',
    'refs/heads/a~1',
    'HEAD',
    'hooks/x',
  ])
    it(`are never ${name}`, () => {
      expect(isRefName(name)).to.equal(false);
    });

  it('have the name of an object, or of another ref', () => {
    expect(isRefValue(HASH)).to.equal(true);
    expect(isRefValue('ref: refs/heads/main')).to.equal(true);
    for (const value of ['', '0'.repeat(40), 'ref: ../x', 'ref: hooks/x', 'main'])
      expect(isRefValue(value), value).to.equal(false);
  });
});
