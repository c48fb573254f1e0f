import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { withFigures } from '../../bench/performance-page.js';

const page = readFileSync(resolve(import.meta.dirname, '../../bench/performance.md'), 'utf8');

describe('the page of figures', () => {
  it('takes those of a run in place of those before, and keeps the rest', () => {
    const once = withFigures(page, 'A machine.\n\n## Start\n\n| a | b |\n');
    expect(once).to.contain('\n\nA machine.\n\n### Start\n\n| a | b |\n\n<!-- end of figures -->\n\n## ');
    const twice = withFigures(once, 'Another.');
    expect(twice).to.contain('\n\nAnother.\n\n').and.not.contain('A machine.');
    expect(withFigures(twice, 'Another.')).to.equal(twice);
  });

  it('says where its figures come from', () => {
    expect(() => withFigures('# A page', 'x')).to.throw(
      'npm run bench -- --peers --write bench/performance.md',
    );
  });
});
