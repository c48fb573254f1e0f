import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { thousandRules } from '../../../bench/thousand-rules.js';
import type { FileProblem } from '../../../src/domain/file-problem.js';
import { readPlainYaml } from '../../../src/infrastructure/config/plain-yaml.js';
import { readAnyYaml } from '../../../src/infrastructure/config/read-yaml-tree.js';
import { settingsTemplate } from '../../../src/infrastructure/config/settings-template.js';
import { policyTemplate } from '../../../src/infrastructure/policy/policy-templates.js';

const RUNS = process.env.CASTELLAN_LONG === '1' ? 200_000 : 1_000;

const FILES = ['config/permissions.yaml', 'tests/support/seed-permissions.yaml', 'bench/bench-policy.yaml'];

/** What the library makes of the text; undefined where it finds a mistake. */
async function wholeTree(text: string) {
  const problems: FileProblem[] = [];
  const tree = await readAnyYaml('f', text, problems);
  return problems.length === 0 ? tree : undefined;
}

/** Saying nothing is always right; saying something must be what the library says. */
async function agrees(text: string): Promise<boolean> {
  const plain = readPlainYaml(text);
  if (plain !== undefined) expect(plain, JSON.stringify(text)).to.deep.equal(await wholeTree(text));
  return plain !== undefined;
}

describe('readPlainYaml', () => {
  for (const [name, text] of [
    ...FILES.map((file): [string, string] => [file, readFileSync(file, 'utf8')]),
    ['a policy of 1,000 rules', thousandRules()],
    ['what init writes', policyTemplate('workspace')],
    ['the settings that init writes', settingsTemplate()],
  ] satisfies readonly (readonly [string, string])[]) {
    it(`reads ${name} as the library does, with every line and column`, async () => {
      expect(await agrees(text)).to.equal(true);
    });
  }

  const PLAIN = [
    'a: 1',
    'a: "x: # y"  # comment',
    "a: 'it''s'",
    'a: "say \\"so\\"\\n"',
    'a:\n- 1\n- b\nc: d',
    'a:\n  - b: 1\n    c: 2\n  - d: 3',
    'a:\n    -   b: 1\n        c: 2',
    '- a\n- [b, "c,d", {e: f}]',
    'a: {b: c, "d": [e], }',
    'a: {\n    b: c, # one\n    d:\n      e\n  }',
    'a: b#c # d',
    'a: builtin:b/c.d',
    '# first\n\n  # second\na:\n # third\n  b: ./c\n\n',
    'a: [1.5, 0, 10, true, false, True2, .., ., .env, ~/x, 1.2.3, 5MiB, 120/min]',
    'a: ünïcode — yes\nb: 日本',
  ];
  for (const text of PLAIN) {
    it(`reads ${JSON.stringify(text)}`, async () => {
      expect(await agrees(text)).to.equal(true);
    });
  }

  const OTHERS = [
    '',
    '# nothing',
    'a',
    'a:',
    'a: ~',
    'a: null',
    'a: True',
    'a: 0x1f',
    'a: 1e3',
    'a: &x b\nc: *x',
    'a: !t b',
    'a: |\n  b',
    'a: b\n  c',
    'a: "b\n  c"',
    'a: b: c',
    'a: [b: c]',
    'a: {b}',
    'a: [b,, c]',
    'a: {b: c\n}',
    '? a\n: b',
    'a: 1\na: 2',
    'a: {b: 1, b: 2}',
    '---\na: 1',
    'a: 1\n...',
    '%YAML 1.2\n---\na: 1',
    'a:\tb',
    'a: b\r\n',
    'a: b\u00a0',
    'a: "\\x41"',
    'a:\n  b: 1\n c: 2',
    'a: 1\n b: 2',
    '- a\nb: 1',
    'a: [b',
    'a: "b',
    '"a":b',
    '<<: {a: b}',
    `a: ${'['.repeat(40)}${']'.repeat(40)}`,
    `a: [${'b, '.repeat(60_000)}]`,
  ];
  for (const text of OTHERS) {
    it(`leaves ${JSON.stringify(text.slice(0, 40))} to the library`, () => {
      expect(readPlainYaml(text)).to.equal(undefined);
    });
  }

  it('never says anything else than the library, whatever the pieces', async () => {
    const piece = fc.constantFrom(
      ...['a', 'b', 'tools', 'x-y', '1', '0', '-1', '1.5', 'true', 'null', '~', '.', '*', '&', '!', '|', '>'],
      ...[': ', ':', ',', ', ', '- ', '-', '? ', '[', ']', '{', '}', '"', "'", '\\', ' #', '#', '# c'],
      ...[
        '\n',
        '\n',
        '\n  ',
        '\n  ',
        '\n    ',
        '\n- ',
        '\n  - ',
        ' ',
        '  ',
        '"x y"',
        "'z'",
        'é',
        'a: b',
        '[a]',
      ],
    );
    let said = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 14 }), async (pieces) => {
        if (await agrees(pieces.join(''))) said += 1;
      }),
      { numRuns: RUNS },
    );
    expect(said).to.be.greaterThan(RUNS / 200);
  });

  it('never says anything else than the library about a policy in which something was changed', async () => {
    const lines = readFileSync('config/permissions.yaml', 'utf8').split('\n');
    const edit = fc.record({
      from: fc.nat(lines.length - 1),
      count: fc.integer({ min: 1, max: 12 }),
      at: fc.nat(400),
      cut: fc.nat(3),
      put: fc.constantFrom(
        '',
        ' ',
        '  ',
        '\n',
        ':',
        ': ',
        ',',
        '"',
        "'",
        '[',
        ']',
        '{',
        '}',
        '#',
        ' #',
        '-',
        'x',
      ),
    });
    let said = 0;
    await fc.assert(
      fc.asyncProperty(edit, async ({ from, count, at, cut, put }) => {
        const text = lines.slice(from, from + count).join('\n');
        const place = at % (text.length + 1);
        if (await agrees(text.slice(0, place) + put + text.slice(place + cut))) said += 1;
      }),
      { numRuns: RUNS },
    );
    expect(said).to.be.greaterThan(RUNS / 20);
  });
});
