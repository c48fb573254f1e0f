import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { referencePages } from '../../../scripts/reference/pages.js';
import { schemaPage, typeOf } from '../../../scripts/reference/schema-page.js';

describe('the reference', () => {
  it('is as the code says (npm run reference writes it)', async () => {
    for (const [path, text] of await referencePages())
      expect(readFileSync(path, 'utf8'), path).to.equal(text);
  });

  it('says of every setting what it means', () => {
    const rows = readFileSync('docs/reference/settings.md', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| `') && !line.includes('| object |'));
    expect(rows.length).to.be.greaterThan(40);
    expect(rows.filter((row) => /\|\s+\|$/.test(row))).to.deep.equal([]);
  });

  it('has every command with its options', () => {
    const page = readFileSync('docs/reference/cli.md', 'utf8');
    for (const words of [
      '## serve',
      '## policy check',
      '## audit tail',
      '`-f, --follow`',
      '`--workspace <folder>`',
    ])
      expect(page).to.include(words);
  });

  it('names a key of several alternatives once, with the words of the one that has some', () => {
    const member = (description?: string) => ({
      type: 'object',
      properties: { tool: { type: 'string', ...(description !== undefined && { description }) } },
    });
    const schema = { properties: { list: { items: { anyOf: [member(), member('The tool.')] } } } };
    const page = schemaPage('T', 'P', schema);
    expect(page.match(/`list\[\]\.tool`/g)).to.have.length(1);
    expect(page).to.include('The tool.');
  });

  const values: readonly (readonly [object, string])[] = [
    [{ enum: ['a', 'b'] }, '`a`, `b`'],
    [{ type: 'integer', minimum: 1, maximum: 9 }, 'whole number, 1 to 9'],
    [{ type: 'array', items: { type: 'string' } }, 'list of text'],
    [{ type: ['number', 'string'], pattern: '(ms|s|m|h|d)' }, 'time: seconds, or such as `30s`, `2h`, `7d`'],
    [{ anyOf: [{ type: 'string' }, { type: 'boolean' }] }, 'text or `true`, `false`'],
  ];
  for (const [schema, words] of values)
    it(`says ${words} for ${JSON.stringify(schema)}`, () => expect(typeOf(schema)).to.equal(words));
});
