import { expect } from 'chai';
import { isDescription, placeholderIn } from '../../../../src/presentation/docs/specification/plain-words.js';

describe('Words that say something', () => {
  for (const text of [
    'your message here',
    '<path>',
    'foo',
    'text goes here',
    'some_value',
    'a ... b',
    'TODO',
  ]) {
    it(`S0-58: "${text}" is a placeholder and no concrete value`, () => {
      expect(placeholderIn(JSON.stringify({ message: text }))).not.to.equal(undefined);
    });
  }

  for (const text of [
    'Hello',
    'src/index.ts',
    'npm test 2>&1 | tail -20',
    'We review code. Answer in one sentence.',
  ]) {
    it(`S0-58: "${text}" is concrete`, () => {
      expect(placeholderIn(JSON.stringify({ message: text }))).to.equal(undefined);
    });
  }

  for (const text of [
    '',
    'The value of the field.',
    'A string.',
    'The input text.',
    'This parameter is used.',
  ]) {
    it(`S0-60: "${text}" says neither purpose nor values`, () => {
      expect(isDescription(text)).to.equal(false);
    });
  }

  it('S0-60: a purpose with its values is a description', () => {
    expect(isDescription('The text to send back; any text, empty by default.')).to.equal(true);
  });
});
