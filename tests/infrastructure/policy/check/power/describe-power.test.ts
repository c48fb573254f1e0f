import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { parse } from 'yaml';
import { isJsonObject } from '../../../../../src/domain/json-value.js';
import type { LoadedPolicy } from '../../../../../src/infrastructure/policy/load-policy.js';
import { policyJsonSchema } from '../../../../../src/infrastructure/policy/schema/policy-file-schema.js';
import { loadFiles, powerOf } from '../../../../support/policy-bench.js';
import { compareStatement } from '../../../../support/power-samples.js';
import { Dice, randomPolicy } from '../../../../support/random-policies.js';

const POLICIES = process.env.CASTELLAN_LONG === '1' ? 5_000 : 200;

function keysIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...keysIn(member)]);
}

function keysOfSchema(schema: unknown): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(keysOfSchema);
  if (!isJsonObject(schema)) return [];
  const own = isJsonObject(schema.properties) ? Object.keys(schema.properties) : [];
  return [...own, ...Object.values(schema).flatMap(keysOfSchema)];
}

async function tryLoad(policy: unknown): Promise<LoadedPolicy | undefined> {
  const loaded = await loadFiles({ '/policy.yaml': JSON.stringify(policy) });
  return loaded.success ? loaded.value : undefined;
}

const EVERY_KEY: unknown = parse(readFileSync('tests/support/every-key-permissions.yaml', 'utf8'));

describe('the statement of power', () => {
  it(`says of ${POLICIES} policies what they decide, in both directions`, async function () {
    this.timeout(0);
    const keys = new Set<string>();
    let [asked, refused, loadedPolicies] = [0, 0, 0];
    for (let seed = 1; loadedPolicies < POLICIES; seed += 1) {
      const policy = seed === 1 ? EVERY_KEY : randomPolicy(seed);
      const loaded = await tryLoad(policy);
      expect(seed, 'most policies load').to.be.below(POLICIES * 6 + 50);
      if (loaded === undefined) continue;
      loadedPolicies += 1;
      for (const key of keysIn(policy)) keys.add(key);
      const lines = powerOf(loaded);
      const found = compareStatement(loaded, lines, new Dice(seed * 7));
      expect(found.wrong, `${JSON.stringify(policy)}\n${lines.join('\n')}`).to.deep.equal([]);
      asked += found.asked;
      refused += found.refused;
    }
    expect(refused / asked).to.be.within(0.3, 0.9);
    expect([...new Set(keysOfSchema(policyJsonSchema()))].filter((key) => !keys.has(key))).to.deep.equal([]);
  });

  it('has a statement for each role', async () => {
    const loaded = await tryLoad({
      extends: ['builtin:workspace'],
      principals: [{ match: { transport: ['stdio'] }, roles: ['reader'] }],
      roles: { reader: { tools: ['read_file'] } },
    });
    expect(loaded && powerOf(loaded)).to.deep.equal([
      'as reader: may read the whole workspace [read_file]',
      'as reader: reads no secret and changes no protected file that no line here names',
    ]);
  });

  const rows: readonly (readonly [title: string, policy: object, says: RegExp, never: RegExp])[] = [
    [
      'reads that a group refuses',
      { extends: ['builtin:readonly'], tools: { 'files.read': { allowed_paths: ['src', 'docs'] } } },
      /^may read the whole workspace; only inside \.\/src, \.\/docs \[/m,
      /^may read the whole workspace \[/m,
    ],
    [
      'a rule that is refused, whatever its list says',
      { tools: { execute_command: { allowed_commands: ['ls', { command: ['docker', 'ps'] }] } } },
      /^may run ls inside/m,
      /docker/,
    ],
    [
      'a write that asks',
      { tools: { write_file: { allowed_paths: ['src'], consent: 'ask' } } },
      /^asks a person first \(ask\) to change \.\/src \[write_file\]/m,
      /nothing/,
    ],
    [
      'a deny of another tool that reaches this one',
      { extends: ['builtin:workspace'], tools: { read_file: { denied_paths: ['private'] } } },
      /^may read the whole workspace; never \.\/private \[.*list_directory/m,
      /^may read the whole workspace \[/m,
    ],
  ];
  for (const [title, policy, says, never] of rows) {
    it(`is true about ${title}`, async () => {
      const loaded = await tryLoad(policy);
      const words = (loaded === undefined ? [] : powerOf(loaded)).join('\n');
      expect(words).to.match(says).and.not.match(never);
    });
  }

  it('is caught when a sentence of it is false', async () => {
    const planted: readonly ((lines: readonly string[]) => readonly string[])[] = [
      (lines) => [...lines, 'may read every path of the machine [read_file]'],
      (lines) => [...lines, 'may change the whole workspace [write_file, edit_file, delete_path]'],
      (lines) => [
        ...lines,
        'may run any code inside the sandbox x (writes: nothing; network: none): execute_command allows every program',
      ],
      (lines) => [...lines, 'may call set_feature_flag'],
      (lines) => lines.map((line) => line.replace(/; never [^[]*/, '')),
      (lines) => lines.map((line) => line.replace(/; only inside [^;[]*/, '')),
      (lines) => lines.filter((line) => !line.startsWith('asks a person first')),
      (lines) => lines.filter((line) => !line.startsWith('never runs')),
      (lines) => lines.filter((line) => !line.startsWith('may run the same commands')),
      (lines) => lines.slice(1),
    ];
    const yaml = {
      extends: [],
      tools: {
        read_file: { allowed_paths: ['.'], denied_paths: ['private'] },
        write_file: { allowed_paths: ['src', { path: 'docs', consent: 'ask' }] },
        'files.read': { allowed_paths: ['src', 'docs', 'private'] },
        execute_command: {
          allowed_commands: ['ls', 'git'],
          denied_commands: [{ command: ['git', 'push'] }],
          sandbox: 'workspace',
        },
      },
    };
    const loaded = await tryLoad(yaml);
    if (loaded === undefined) throw new Error('the policy must load');
    const lines = powerOf(loaded);
    const wrongWith = (said: readonly string[]): number => {
      const dice = new Dice(11);
      return Array.from({ length: 80 }, () => compareStatement(loaded, said, dice).wrong.length).reduce(
        (a, b) => a + b,
      );
    };
    expect(wrongWith(lines), lines.join('\n')).to.equal(0);
    for (const plant of planted) expect(wrongWith(plant(lines)), `${plant(lines).join('\n')}`).to.be.above(0);
  });
});
