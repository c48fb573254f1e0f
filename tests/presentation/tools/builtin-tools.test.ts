import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { knownTools } from '../../../src/composition/configuration/policy-request.js';
import { toolFromDefinition } from '../../../src/presentation/docs/tool-from-definition.js';
import { builtinTools } from '../../../src/presentation/tools/builtin-tools.js';

const FOLDER = fileURLToPath(new URL('../../../src/presentation/tools/', import.meta.url));

describe('builtinTools', () => {
  it('S3-11: has a line for each .tool.ts file there is, under its category', () => {
    const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.tool.ts'))
      .map((path) => path.replaceAll('\\', '/'));
    const listed = builtinTools.map(
      ({ name, category }) => `${category}/${name.replaceAll('_', '-')}.tool.ts`,
    );
    expect(listed).to.have.members(files);
  });

  it('are all known to the policy, which takes any other name for no tool', () => {
    expect(knownTools({}).map(({ name }) => name)).to.have.members(builtinTools.map(({ name }) => name));
  });

  /** What a request of this kind needs of a policy's entry. */
  const NEEDED = { 'read-path': 'read', 'write-path': 'write', 'run-command': 'command' } as const;

  for (const { name, category, capabilities = [], permissions, input } of builtinTools) {
    if (category !== 'file' && category !== 'system') continue;
    it(`${name} has the capabilities that its requests need, and no others`, () => {
      const args = Object.fromEntries(Object.keys(input.properties ?? {}).map((key) => [key, 'x']));
      const needed = (permissions?.(args, {}) ?? []).map(({ kind }) =>
        kind === 'reach-host' ? kind : NEEDED[kind],
      );
      // Who may write a path may read it, and a command's output is saved under the same entry.
      const strongest = ['command', 'write', 'read'].find((each) => needed.some((kind) => kind === each));
      expect(capabilities).to.deep.equal(strongest === undefined ? [] : [strongest]);
      expect(permissions?.({}, {}) ?? [], 'without arguments').to.have.lengthOf.at.most(1);
    });
  }

  it('S4-06: the category utility has echo', () => {
    const utility = builtinTools.filter(({ category }) => category === 'utility').map(({ name }) => name);
    expect(utility).to.include('echo');
  });

  for (const definition of builtinTools) {
    it(`${definition.name} is a valid tool that says something about its security`, () => {
      expect(toolFromDefinition(definition, 'full').success).to.equal(true);
      expect(definition.security.length).to.be.above(10);
      expect(definition.output === undefined).to.equal(definition.outputText !== undefined);
    });
  }
});
