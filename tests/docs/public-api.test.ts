import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import about from '../../package.json' with { type: 'json' };

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/reference/api.md'), 'utf8');

/** The rows of an entry point: name, kind and purpose. */
function rowsOf(entry: string): readonly (readonly string[])[] {
  const section = PAGE.split(/^## /m).find((part) => part.startsWith(`${entry}\n`)) ?? '';
  return [...section.matchAll(/^\| `(.+?)` \| (.*?) \| (.*?) \|$/gm)].map(([, ...cells]) => cells);
}

describe('The public API', () => {
  it('has a page with every entry point of the package', () => {
    const entries = Object.keys(about.exports).filter((name) => name !== './package.json');
    for (const name of entries) expect(rowsOf(name.replace('.', 'castellan')), name).not.to.deep.equal([]);
  });

  it('promises few names, each with a sentence that says what it is for', () => {
    const rows = rowsOf('castellan');
    expect(rows.length).to.be.within(50, 70);
    expect(rows.filter(([, , purpose]) => purpose === '').map(([name]) => name)).to.deep.equal([]);
  });

  it('says of each port why it is there', () => {
    const ports = rowsOf('castellan/ports').filter(([, kind]) => kind === 'port');
    expect(ports.length).to.be.above(45);
    expect(ports.filter(([, , purpose]) => purpose === '').map(([name]) => name)).to.deep.equal([]);
  });
});
