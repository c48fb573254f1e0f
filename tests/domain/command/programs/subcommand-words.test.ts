import { expect } from 'chai';
import { describe, it } from 'mocha';
import {
  mayGive,
  mayName,
  type SeenWords,
} from '../../../../src/domain/command/programs/subcommand-words.js';
import { call } from '../../../support/words.js';

/** A call, and the words of a rule after its program; alternatives are divided by a bar. */
const NAMED: readonly (readonly [line: string, rule: string, may: boolean])[] = [
  ['git push', 'push', true],
  ['git -C a push', 'push', true],
  ['git -- push', 'push', true],
  ['git log push', 'push', false],
  ['git status', 'push', false],
  ['git p', 'push', true],
  ['git -C p status', 'push', false],
  ['git', 'push', false],
  ['git stage', 'add', true],
  ['git glob:p*', 'push', true],
  ['aws --profile p s3 rm', 's3 rm', true],
  ['aws s3 --region r rm', 's3 rm', true],
  ['aws s3 ls rm', 's3 rm', false],
  ['aws s3', 's3 rm', false],
  ['aws s3 anything', 's3 *', true],
  ['aws s3', 's3 *', false],
  ['npm publ', 'publish', true],
  ['npm rm', 'uninstall', true],
  ['npm x', 'exec|run', true],
  ['npm publisher', 'publish', false],
  ['cargo publ', 'publish', false],
  ['cargo b', 'build', true],
  ['docker container rm', 'rm', true],
  ['docker volume rm', 'rm', false],
  ['docker container image rm', 'rm', true],
  ['kubectl delete', 'delete', true],
  ['tool --force=yes', '--force', true],
  ['tool -x', '--force', false],
  ['tool constructor', 'toString', false],
];

describe('mayName', () => {
  for (const [line, rule, may] of NAMED) {
    it(`${line} ${may ? 'may be' : 'is not'} ${rule}`, () => {
      const tokens = rule.split(' ').map((word) => word.split('|'));
      expect(mayName(tokens, call(line))).to.equal(may);
    });
  }

  it('takes every call for one that a rule without words names', () =>
    expect(mayName([], call('git p'))).to.equal(true));

  it('takes what a wrapper puts in for any word', () => {
    const unseen: SeenWords = { ...call('git -C a'), unseenArguments: true };
    expect(mayName([['push']], unseen)).to.equal(true);
    expect(mayName([['push']], { ...call('git log'), unseenArguments: true })).to.equal(false);
    expect(mayName([['push']], { ...call('git pu{}'), placeholders: ['{}'] })).to.equal(true);
    expect(mayName([['push']], { ...call('git log'), placeholders: ['{}'] })).to.equal(false);
  });
});

describe('mayGive', () => {
  const GIVEN: readonly (readonly [line: string, flag: string, may: boolean])[] = [
    ['git commit -n', '-n', true],
    ['git commit -anm x', '-n', true],
    ['git commit -m x', '-n', false],
    ['git commit --no-v', '--no-verify', true],
    ['git c', '-n', true],
    ['curl glob:*', '-k', false],
  ];
  for (const [line, flag, may] of GIVEN) {
    it(`${line} ${may ? 'may have' : 'has no'} ${flag}`, () =>
      expect(mayGive([flag], call(line))).to.equal(may));
  }

  it('takes what is not seen for any flag', () => {
    expect(mayGive(['-k'], { ...call('curl'), unseenArguments: true })).to.equal(true);
    const unseen = { kind: 'glob', pattern: '$x', unseen: true } as const;
    expect(mayGive(['-k'], { program: 'curl', args: [unseen] })).to.equal(true);
  });
});
