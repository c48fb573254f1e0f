import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import * as Type from 'typebox';
import { Compile } from 'typebox/compile';
import { parse } from 'yaml';
import { policyTemplate } from '../../../../src/infrastructure/policy/policy-templates.js';
import { policyJsonSchema } from '../../../../src/infrastructure/policy/schema/policy-file-schema.js';
import { SEED_POLICY } from '../../../support/policy-bench.js';

const PUBLISHED = 'config/permissions.schema.json';

describe('the published schema of the policy file', () => {
  it('is the one the checker reads by (UPDATE_SNAPSHOTS=1 writes it)', async () => {
    const wanted = JSON.stringify(policyJsonSchema(), null, 2);
    if (process.env.UPDATE_SNAPSHOTS === '1') await writeFile(PUBLISHED, `${wanted}\n`);
    expect(JSON.parse(await readFile(PUBLISHED, 'utf8'))).to.deep.equal(JSON.parse(wanted));
  });

  it('accepts the shipped policies and refuses an unknown key', async () => {
    const check = Compile(Type.Unsafe<unknown>(policyJsonSchema()));
    const shipped = await readFile('config/permissions.yaml', 'utf8');
    for (const text of [SEED_POLICY, shipped, policyTemplate('readonly'), policyTemplate('workspace')]) {
      expect(check.Check(parse(text)), text.slice(0, 60)).to.equal(true);
    }
    expect(check.Check({ tools: { echo: { enabeld: true } } })).to.equal(false);
    expect(check.Check({ tools: { echo: { 'x-note': 1 } } })).to.equal(true);
  });
});
