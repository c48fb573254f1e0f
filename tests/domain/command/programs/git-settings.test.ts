import { expect } from 'chai';
import { describe, it } from 'mocha';
import { overridesFor, redirectsAddresses } from '../../../../src/domain/command/programs/git-settings.js';

describe('overridesFor', () => {
  const TABLE: readonly (readonly [key: string, overrides: Readonly<Record<string, string>>])[] = [
    ['user.name', {}],
    ['core.gitproxy', { 'core.gitproxy': '' }],
    ['pager.log', { 'pager.log': 'false' }],
    ['diff.word.textconv', { 'diff.word.textconv': '' }],
    ['diff.word.algorithm', {}],
    ['merge.ours.driver', { 'merge.ours.driver': 'false' }],
    ['remote.a.b.uploadpack', { 'remote.a.b.uploadpack': 'git-upload-pack' }],
    ['filter.lfs.clean', { 'filter.lfs.clean': '', 'filter.lfs.required': 'false' }],
    ['filter.lfs.other', { 'filter.lfs.required': 'false' }],
    ['diff.constructor', {}],
  ];
  for (const [key, overrides] of TABLE) {
    it(`${key}: ${Object.keys(overrides).join(', ') || 'none'}`, () =>
      expect(Object.fromEntries(overridesFor([key]))).to.deep.equal(overrides));
  }

  it('has each setting once', () => {
    const keys = ['filter.a.clean', 'filter.a.smudge', 'filter.a.required'];
    expect(overridesFor(keys).map(([key]) => key)).to.deep.equal([
      'filter.a.clean',
      'filter.a.required',
      'filter.a.smudge',
    ]);
  });
});

describe('redirectsAddresses', () => {
  it('tells the settings that rewrite addresses', () => {
    expect(redirectsAddresses('url.https://a/.insteadof')).to.equal(true);
    expect(redirectsAddresses('url.x.pushinsteadof')).to.equal(true);
    expect(redirectsAddresses('url.x.other')).to.equal(false);
    expect(redirectsAddresses('core.url.x.insteadof')).to.equal(false);
  });
});
