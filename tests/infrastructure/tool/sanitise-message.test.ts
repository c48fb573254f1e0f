import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { sanitiseMessage } from '../../../src/infrastructure/tool/sanitise-message.js';

describe('sanitiseMessage', () => {
  const table: readonly (readonly [string, string])[] = [
    ['plain words', 'plain words'],
    ["ENOENT: open '/home/me/x.txt'", "ENOENT: open '[path]'"],
    ['C:\\Users\\me\\x is gone', '[path] is gone'],
    ['first line\n    at /srv/app.js:1:2', 'first line'],
    ['see https://example.com/a/b', 'see https://example.com/a/b'],
    ['read src/index.ts', 'read src/index.ts'],
    ['bell\u0007 and \u001b[31mred', 'bell? and ?[31mred'],
    ['', 'the tool gave no reason'],
    ['\n\n', 'the tool gave no reason'],
  ];
  for (const [message, expected] of table) {
    it(`S3-43: makes ${JSON.stringify(message)} ${JSON.stringify(expected)}`, () => {
      expect(sanitiseMessage(message)).to.equal(expected);
    });
  }

  it('is one short line without control characters, whatever comes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 1500 }), (message) => {
        const clean = sanitiseMessage(message);
        expect(clean.length).to.be.within(1, 303);
        expect(clean).not.to.match(/[\p{Cc}\u2028\u2029]/u);
      }),
    );
  });
});
