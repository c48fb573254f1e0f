import { expect } from 'chai';
import { describe, it } from 'mocha';
import { encodedText } from '../../../src/domain/file/encoded-text.js';

const repeated = (line: string, count = 40) => `${line}\n`.repeat(count);

describe('encodedText', () => {
  it('knows base64 and hexadecimal digits, in lines and on one line', () => {
    const base64 = Buffer.from('The quick brown fox jumps over 12 lazy dogs, again').toString('base64');
    expect(encodedText(repeated(base64))?.what).to.equal('base64');
    expect(encodedText(base64.replace(/=+$/, '').repeat(40))?.what).to.equal('base64');
    expect(encodedText(repeated('0123456789abcdef'.repeat(4)))?.what).to.equal('hexadecimal digits');
  });
  it('leaves prose, code, words and short texts alone', () => {
    for (const text of [
      repeated('The quick brown fox jumps over the lazy dog, and over the next one too.'),
      repeated('export const theQuickBrownFoxJumpsOverTheLazyDog = { id: 1, next: undefined };'),
      repeated('abcdefghij'.repeat(6)),
      repeated('identifier_of_something'),
      'QUJD'.repeat(100),
      '',
    ])
      expect(encodedText(text), text.slice(0, 40)).to.equal(undefined);
  });
});
