import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { packageVersion } from '../../../src/composition/server/package-version.js';
import { builtinTools } from '../../../src/presentation/tools/builtin-tools.js';
import { echoTool } from '../../../src/presentation/tools/utility/echo.tool.js';
import { classifyChange, dueVersion } from '../../support/schema-change.js';
import { checkSnapshot, keepSnapshot, snapshotOf, type ToolSnapshot } from '../../support/tool-snapshots.js';

describe('Versions of tools', () => {
  for (const definition of builtinTools) {
    it(`S2-15: ${definition.name} is as its committed snapshot says, with an honest version`, () => {
      expect(keepSnapshot(snapshotOf(definition, packageVersion))).to.equal(undefined);
    });
  }

  it('has no snapshot of a tool that is gone', () => {
    const files = readdirSync(join(import.meta.dirname, '../../snapshots/tools'));
    expect(files.sort()).to.deep.equal(builtinTools.map(({ name }) => `${name}.json`).sort());
  });

  const before = snapshotOf(echoTool, '1.0.0');
  const withInput = (
    change: (input: Record<string, unknown>) => void,
    version = before.version,
  ): ToolSnapshot => {
    const input = structuredClone(before.input) as Record<string, unknown>;
    change(input);
    return { ...before, input, version };
  };
  const object = (value: unknown) => value as Record<string, Record<string, unknown>>;

  it('S2-16: a removed argument without a major bump is refused, and the answer names the version due', () => {
    const after = withInput((input) => {
      input.properties = {};
    });
    expect(checkSnapshot(before, after)).to.match(/breaking .*message was removed.*to 2\.0\.0/);
  });

  it('S2-16: a new required argument, another type and a narrower limit are breaking', () => {
    const required = withInput((input) => {
      input.required = ['message'];
    });
    const typed = withInput((input) => {
      object(input.properties).message = { type: 'number' };
    });
    const narrower = withInput((input) => {
      object(input.properties).message = { ...object(input.properties).message, maxLength: 3 };
    });
    for (const after of [required, typed, narrower]) {
      expect(classifyChange(before.input, after.input, 'input').kind).to.equal('breaking');
    }
  });

  it('S2-17: a new optional argument needs a minor bump and no more', () => {
    const add = (input: Record<string, unknown>) => {
      object(input.properties).loud = { type: 'boolean' };
    };
    expect(checkSnapshot(before, withInput(add))).to.match(/additive .*loud was added.*to 1\.1\.0/);
    expect(checkSnapshot(before, withInput(add, '1.1.0'))).to.equal(undefined);
  });

  it('S2-17: an added field of the answer is additive, a removed one breaking', () => {
    const small = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
    const large = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      required: ['a'],
    };
    expect(classifyChange(small, large, 'output').kind).to.equal('additive');
    expect(classifyChange(large, small, 'output').kind).to.equal('breaking');
  });

  it('takes new words about a field for no change', () => {
    const after = withInput((input) => {
      object(input.properties).message = { ...object(input.properties).message, description: 'Other words.' };
    });
    expect(classifyChange(before.input, after.input, 'input').kind).to.equal('none');
  });

  it('demands a major bump of the package for one of a tool', () => {
    const after = { ...withInput(() => {}, '2.0.0'), package: '1.4.0' };
    expect(checkSnapshot(before, after)).to.match(/the package needs one too/);
    expect(checkSnapshot(before, { ...after, package: '2.0.0' })).to.equal(undefined);
  });

  it('S2-18: a tool without a snapshot under its name is a new tool', () => {
    expect(checkSnapshot(undefined, { ...before, name: 'echo_again' })).to.match(
      /echo_again has no snapshot/,
    );
    expect(dueVersion('1.2.3', 'none')).to.equal('1.2.3');
  });
});
