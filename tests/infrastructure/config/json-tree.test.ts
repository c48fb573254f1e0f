import { expect } from 'chai';
import fc from 'fast-check';
import type { FileProblem } from '../../../src/domain/file-problem.js';
import { readJsonTree } from '../../../src/infrastructure/config/json-tree.js';
import type { YamlTree } from '../../../src/infrastructure/config/yaml-tree.js';

const bytes = (text: string) => new TextEncoder().encode(text);

function plain(tree: YamlTree): unknown {
  if (tree.kind === 'scalar') return tree.value;
  if (tree.kind === 'list') return tree.items.map(plain);
  return Object.fromEntries(tree.entries.map(({ key, value }) => [key, plain(value)]));
}

function problemOf(text: string): string {
  const problems: FileProblem[] = [];
  const tree = readJsonTree('x.json', bytes(text), problems);
  expect(tree).to.equal(undefined);
  expect(problems).to.have.length(1);
  return problems.map(({ line, column, message }) => `${line}:${column} ${message}`).join();
}

describe('A file of strict JSON', () => {
  it('is read as JSON.parse reads it, whatever the value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        const problems: FileProblem[] = [];
        const tree = readJsonTree('x.json', bytes(text), problems);
        expect(problems).to.deep.equal([]);
        expect(tree === undefined ? undefined : plain(tree)).to.deep.equal(JSON.parse(text));
      }),
    );
  });

  it('is refused exactly where JSON.parse refuses it', () => {
    const marks = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      'a',
      '1',
      '-',
      ' ',
      'true',
      "'",
      '#',
    );
    fc.assert(
      fc.property(fc.array(marks, { maxLength: 10 }), (parts) => {
        const text = parts.join('');
        const tree = readJsonTree('x.json', bytes(text), []);
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        expect(tree !== undefined, text).to.equal(isJson);
      }),
    );
  });

  for (const [what, text, problem] of [
    ['a comment', '{\n  // why\n}', '2:3 Not valid JSON: expected a key in double quotes, got "/".'],
    [
      'a comma at the end',
      '{\n  "a": 1,\n}',
      '3:1 Not valid JSON: expected a key in double quotes, got "}".',
    ],
    ['single quotes', "{ 'a': 1 }", '1:3 Not valid JSON: expected a key in double quotes, got "\'".'],
    ['a bare word', '{ "a": yes }', '1:8 Not valid JSON: expected a value, got "y".'],
    [
      'a key twice',
      '{\n "a": 1,\n "a": 2 }',
      '3:2 Not valid JSON: the key "a" appears twice, first on line 2.',
    ],
    ['a second value', '{} {}', '1:4 Not valid JSON: "{" after the end.'],
    ['an end too early', '{ "a": ', '1:8 Not valid JSON: expected a value, got the end of the file.'],
    [
      'a line end in a text',
      '{ "a": "x\ny" }',
      '1:10 Not valid JSON: a string runs past the end of its line.',
    ],
    ['YAML', 'name: x\n', '1:1 Not valid JSON: expected a value, got "n".'],
    ['an unknown escape', '["\\x41"]', '1:3 Not valid JSON: there is no such escape.'],
  ] as const) {
    it(`is refused with ${what}, at its place`, () => {
      expect(problemOf(text)).to.equal(problem);
    });
  }

  it('does not use up the stack however deep it nests or long it is', () => {
    expect(problemOf('['.repeat(100_000))).to.match(/more than 32 levels/);
    const long = JSON.stringify({ text: 'x'.repeat(1_000_000) });
    expect(readJsonTree('x.json', bytes(long), [])?.kind).to.equal('map');
  });
});
