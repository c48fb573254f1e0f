import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { isJsonObject } from '../../src/domain/json-value.js';
import { policyJsonSchema } from '../../src/infrastructure/policy/schema/policy-file-schema.js';

const KEYS = readFileSync('docs/reference/policy.md', 'utf8');

function keysOf(schema: unknown): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(keysOf);
  if (!isJsonObject(schema)) return [];
  const own = isJsonObject(schema.properties) ? Object.keys(schema.properties) : [];
  return [...own, ...Object.values(schema).flatMap(keysOf)];
}

describe('the pages about the policy', () => {
  it('have every key that a policy may have', () => {
    const missing = [...new Set(keysOf(policyJsonSchema()))].filter(
      (key) => !new RegExp(`\\b${key}\\b`).test(KEYS),
    );
    expect(missing).to.deep.equal([]);
  });
});
