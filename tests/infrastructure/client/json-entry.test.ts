import { expect } from 'chai';
import { type ParseError, parse as parseJsonc } from 'jsonc-parser';
import { describe, it } from 'mocha';
import { withJsonEntry, withoutJsonEntry } from '../../../src/infrastructure/client/json-entry.js';

const place = { file: 'f.json', under: 'mcpServers', name: 'castellan' };
const entry = { command: 'node', args: ['/c.js'], env: { CASTELLAN_WORKSPACE: '/w' } };

async function added(text: string): Promise<string> {
  const result = await withJsonEntry(text, place, entry);
  if (!result.success) throw new Error(result.error);
  return result.value;
}

async function removed(text: string): Promise<string> {
  const result = await withoutJsonEntry(text, place);
  if (!result.success) throw new Error(result.error);
  return result.value;
}

function parse(text: string) {
  const errors: ParseError[] = [];
  const value = parseJsonc(text, errors, { allowTrailingComma: true });
  expect(errors, text).to.deep.equal([]);
  return value;
}

const COMMENTED = `// My settings
{
\t"theme": "dark", // not light
\t/* servers */
\t"mcpServers": {
\t\t"other": { "command": "x" }, // the other one
\t},
}
`;

describe("an entry in a client's JSON", () => {
  it('is put into an empty file', async () => {
    expect(JSON.parse(await added(''))).to.deep.equal({ mcpServers: { castellan: entry } });
    expect(JSON.parse(await added('{}'))).to.deep.equal({ mcpServers: { castellan: entry } });
  });

  it('leaves comments, order and indentation as they are, and goes without a trace', async () => {
    for (const text of [
      COMMENTED,
      COMMENTED.replaceAll('\n', '\r\n'),
      '{\n    "a": 1,\n    "mcpServers": {\n        "b": {}\n    }\n}\n',
      '{ "mcpServers": { "b": { "c": [1, 2] } } }',
      '{\n  "mcpServers": {\n    // none yet\n  }\n}\n',
    ]) {
      const after = await added(text);
      expect(parse(after), text).to.deep.equal({
        ...parse(text),
        mcpServers: { ...parse(text).mcpServers, castellan: entry },
      });
      expect(after.includes('\r\n')).to.equal(text.includes('\r\n'));
      expect(await added(after), 'again').to.equal(after);
      const gone = await removed(after);
      if (text.includes('\n')) expect(gone).to.equal(text);
      else expect(gone.replaceAll(/\s/g, '')).to.equal(text.replaceAll(/\s/g, ''));
    }
    expect(await added(COMMENTED)).to.match(/^\t\t"castellan": \{$/m);
  });

  it('goes from wherever it stands, with its comma and no comment', async () => {
    const other = '"other": { "x": 1 }';
    const own = '"castellan": { "command": "x" }';
    for (const text of [
      `{ "mcpServers": { ${own}, /* a */ ${other} } }`,
      `{ "mcpServers": { ${other} /* a */, ${own} } }`,
      `{\n  "mcpServers": {\n    ${other}, // a\n    ${own}\n  }\n}\n`,
      `{\n  "mcpServers": {\n    ${other},\n    // a\n    ${own}, // b\n  }\n}\n`,
      `{ "mcpServers": { ${own} } }`,
    ]) {
      const gone = await removed(text);
      expect(parse(gone), gone).to.deep.equal({
        mcpServers: text.includes('other') ? { other: { x: 1 } } : {},
      });
      for (const [comment] of text.matchAll(/\/\* a \*\/|\/\/ [ab]/g)) expect(gone).to.contain(comment);
    }
  });

  it('keeps what somebody added to it, and changes the rest', async () => {
    const text = JSON.stringify({
      mcpServers: { castellan: { command: 'old', args: ['-v'], disabled: true, env: { MORE: '1' } } },
    });
    expect(JSON.parse(await added(text)).mcpServers.castellan).to.deep.equal({
      ...entry,
      disabled: true,
      env: { MORE: '1', CASTELLAN_WORKSPACE: '/w' },
    });
  });

  it('is not put into what is no JSON object, and the place is named', async () => {
    const cases: readonly [string, RegExp][] = [
      ['{\n  "a": ]\n}', /^f\.json:2:8: This is not valid JSON/],
      ['[]', /^f\.json:1:1: Expected a JSON object/],
      ['{ "mcpServers": [] }', /Expected an object under "mcpServers"/],
    ];
    for (const [text, says] of cases) {
      const result = await withJsonEntry(text, place, entry);
      expect(result.success).to.equal(false);
      if (!result.success) expect(result.error).to.match(says);
    }
  });

  it('is not missed where it is not', async () => {
    expect(await removed(COMMENTED)).to.equal(COMMENTED);
    expect(await removed('')).to.equal('');
  });
});
