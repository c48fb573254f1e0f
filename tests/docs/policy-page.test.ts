import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { isJsonObject } from '../../src/domain/json-value.js';
import { policyJsonSchema } from '../../src/infrastructure/policy/schema/policy-file-schema.js';
import { problemsOf } from '../support/policy-bench.js';

const PAGE = readFileSync('docs/policy.md', 'utf8');
const README = readFileSync('README.md', 'utf8');

function keysOf(schema: unknown): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(keysOf);
  if (!isJsonObject(schema)) return [];
  const own = isJsonObject(schema.properties) ? Object.keys(schema.properties) : [];
  return [...own, ...Object.values(schema).flatMap(keysOf)];
}

describe('the page about the policy', () => {
  it('tells of every key that a policy may have', () => {
    const missing = [...new Set(keysOf(policyJsonSchema()))].filter(
      (key) => !new RegExp(`\\b${key}\\b`).test(PAGE),
    );
    expect(missing).to.deep.equal([]);
  });

  it('shows policies that load, their tests included; so does the README', async () => {
    for (const [page, shown] of [
      [PAGE, 5],
      [README, 1],
    ] as const) {
      const blocks = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, yaml = '']) => yaml);
      expect(blocks).to.have.length(shown);
      for (const yaml of blocks) expect(await problemsOf(yaml)).to.deep.equal([]);
    }
  });
});
