import { expect } from 'chai';
import fc from 'fast-check';
import { previewArguments } from '../../../src/domain/tool/argument-preview.js';

describe('previewArguments', () => {
  it('S3-17: cuts a string longer than 100 characters to its first 100 and its length', () => {
    const exact = 'ab'.repeat(50);
    expect(previewArguments({ text: exact })).to.deep.equal({ text: exact });
    expect(previewArguments({ text: `${exact}c` })).to.deep.equal({ text: `${exact}... [101 chars]` });
    expect(previewArguments({ list: [{ deep: 'x '.repeat(5000) }] })).to.deep.equal({
      list: [{ deep: `${'x '.repeat(50)}... [10000 chars]` }],
    });
  });

  it('S3-18: shows no value under a telling name and no secret of a known shape', () => {
    const args = {
      password: 'hunter2',
      nested: { 'API-Key': 'abc', Authorization: ['Basic abc'], clientSecret: 42 },
      command: `curl -H "Authorization: Bearer ${'aB3'.repeat(10)}" https://me:hunter2@example.com`,
      max_tokens: 100,
      token: null,
    };
    const shown = JSON.stringify(previewArguments(args));
    expect(shown).to.not.match(/hunter2|"abc"|Basic abc|42|aB3/);
    expect(shown).to.include('"max_tokens":100').and.include('"token":null').and.include('example.com');
  });

  it('S3-18: shows no part of a secret that lies across a cut', () => {
    const secret = 'q7'.repeat(20);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2200 }), fc.constantFrom(' ', '\n', 'a '), (before, filler) => {
        const text = `${filler.repeat(before).slice(0, before)} ghp_${secret} end`;
        expect(JSON.stringify(previewArguments({ text }))).to.not.include('q7');
      }),
      { numRuns: 300 },
    );
    const pem = `-----BEGIN PRIVATE KEY-----\n${'Q8'.repeat(1000)}`;
    expect(JSON.stringify(previewArguments([`${pem} ghp_${secret}`]))).to.not.match(/Q8|q7/);
  });

  it('is of bounded size and depth, and takes anything', () => {
    let deep: unknown = 'end';
    for (let level = 0; level < 5000; level += 1) deep = [deep];
    const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, index]));
    const odd = [undefined, () => 1, 1n, Symbol('s'), Number.NaN];
    const shown = JSON.stringify(previewArguments({ deep, wide, odd, long: Array(10_000).fill(1) }));
    expect(shown.length).to.be.lessThan(3000);
  });

  it('cuts through no character', () => {
    expect(previewArguments(`${'a'.repeat(99)}😀b`)).to.equal(`${'a'.repeat(99)}... [102 chars]`);
  });
});
