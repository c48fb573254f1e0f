import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import * as Type from 'typebox';
import { Compile } from 'typebox/compile';
import { parse } from 'yaml';
import { settingsJsonSchema } from '../../../src/infrastructure/config/settings-file-schema.js';
import { settingsTemplate } from '../../../src/infrastructure/config/settings-template.js';

const SCHEMA = 'config/castellan.schema.json';
const SHIPPED = 'config/castellan.yaml';

describe('the published schema of the settings file', () => {
  before(async () => {
    if (process.env.UPDATE_SNAPSHOTS !== '1') return;
    await writeFile(SCHEMA, `${JSON.stringify(settingsJsonSchema(), null, 2)}\n`);
    await writeFile(SHIPPED, settingsTemplate('./castellan.schema.json'));
  });

  it('is the one the checker reads by (UPDATE_SNAPSHOTS=1 writes it)', async () => {
    expect(JSON.parse(await readFile(SCHEMA, 'utf8'))).to.deep.equal(
      JSON.parse(JSON.stringify(settingsJsonSchema())),
    );
  });

  it('accepts the shipped settings, which are what init writes, and refuses an unknown key', async () => {
    const check = Compile(Type.Unsafe<unknown>(settingsJsonSchema()));
    const shipped = await readFile(SHIPPED, 'utf8');
    expect(shipped).to.equal(settingsTemplate('./castellan.schema.json'));
    expect(shipped).to.match(/^# yaml-language-server: \$schema=/);
    expect(check.Check(parse(shipped))).to.equal(true);
    expect(check.Check({ tool_prefx: '' })).to.equal(false);
  });

  it('has examples in its comments that are settings themselves', () => {
    const check = Compile(Type.Unsafe<unknown>(settingsJsonSchema()));
    const uncommented = settingsTemplate()
      .split('\n')
      .map((line) => line.replace(/^# (?=[a-z]+: |[a-z]+:$| {2})/, ''))
      .join('\n');
    const settings = parse(uncommented);
    expect(settings).to.include.keys('categories', 'collections', 'prompts', 'tools', 'http', 'redis');
    expect(check.Check(settings)).to.equal(true);
  });
});
