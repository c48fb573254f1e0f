import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { previewArguments } from '../../../src/domain/tool/argument-preview.js';

const SECRET = `ghp_${'a1B2'.repeat(9)}`;

describe('previewArguments', () => {
  it('S3-17: a string over 100 characters becomes its first 100 and its length', () => {
    const text = 'abcdefghij'.repeat(20);
    expect(previewArguments({ text })).to.deep.equal({ text: `${text.slice(0, 100)}... [200 chars]` });
  });

  it('S3-17: a string of 100 characters stays whole', () => {
    const text = 'x y '.repeat(25);
    expect(previewArguments({ text })).to.deep.equal({ text });
  });

  it('S3-18: secrets are gone by shape and by name, at any depth', () => {
    const preview = JSON.stringify(
      previewArguments({ text: `use ${SECRET} now`, nested: [{ password: 'hunter2', apiKey: 12345 }] }),
    );
    expect(preview).not.to.contain(SECRET).and.not.to.contain('hunter2').and.not.to.contain('12345');
    expect(preview).to.contain('use [castellan-redacted:').and.to.contain(' now');
  });

  it('S3-18: a secret that the cut would halve is gone too', () => {
    for (const start of [60, 80, 95, 2000, 2030]) {
      const preview = JSON.stringify(
        previewArguments({ text: 'x '.repeat(start / 2) + SECRET + ' y'.repeat(900) }),
      );
      expect(preview).not.to.contain(SECRET.slice(0, 12));
    }
  });

  it('never cuts a character in two', () => {
    const preview = previewArguments({ text: 'x'.repeat(99) + '😀'.repeat(20) });
    expect(JSON.stringify(preview)).to.contain(`${'x'.repeat(99)}... [`);
  });

  it('is JSON of bounded size, whatever comes', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withSparseArray: true, maxDepth: 8 }), (value) => {
        expect(() => JSON.stringify(previewArguments(value))).not.to.throw();
      }),
    );
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`k${n}`, 'v'.repeat(1000)]));
    expect(JSON.stringify(previewArguments({ wide, list: new Array(5000).fill(wide) })).length).to.be.below(
      500_000,
    );
  });

  it('says how many members it left out', () => {
    expect(previewArguments(new Array(60).fill(1))).to.have.property('50', '... [60 items]');
    expect(previewArguments([[[[[[[1, 2]]]]]]])).to.deep.equal([[[[[['[2 items]']]]]]]);
  });

  it('leaves a telling name without a value alone, and other values as they are', () => {
    expect(previewArguments({ token: null, password: '', secret: false, n: 1, b: true })).to.deep.equal({
      token: null,
      password: '',
      secret: false,
      n: 1,
      b: true,
    });
    expect(previewArguments({ f: () => 1, n: Number.NaN, u: undefined })).to.deep.equal({
      f: '[function]',
      n: 'NaN',
      u: '[undefined]',
    });
  });
});
