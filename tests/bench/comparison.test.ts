import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { CASTELLAN, COMPARED } from '../../bench/comparison/compared-servers.js';
import { ROWS, tryFacts, wordFor } from '../../bench/comparison/comparison.js';
import { FACTS } from '../../bench/comparison/facts.js';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/explanation/comparison.md'), 'utf8');

/** The rows of the table, as lists of cells. */
function tableOf(text: string): readonly (readonly string[])[] {
  const [head = '', , ...rows] = text.split('\n').filter((line) => line.startsWith('|'));
  return [head, ...rows].map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
}

const [head = [], ...rows] = tableOf(page);

describe('the comparison with other servers in the documents', () => {
  it('has the rows and columns that its script prints, and no words of its own', () => {
    expect(head.slice(1)).to.deep.equal(COMPARED.map(({ title }) => title));
    expect(rows.map(([title]) => title)).to.deep.equal(ROWS);
    for (const [index, [title, ...cells]] of rows.entries())
      for (const cell of cells)
        expect(cell, title).to.match(index < FACTS.length ? /^(?:yes|no|–)$/ : /^\d+$/);
  });

  it('says of this server what is tried here and now', async () => {
    // Every third; all of them in the long run.
    const tried = FACTS.filter((_, index) => process.env.CASTELLAN_LONG === '1' || index % 3 === 0);
    const found = await tryFacts(tried, CASTELLAN, '');
    const claimed = tried.map(({ title }) => rows.find(([row]) => row === title)?.[1]);
    expect(claimed).to.deep.equal(found.map(wordFor));
  });
});
