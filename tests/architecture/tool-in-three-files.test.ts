import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { builtinTools } from '../../src/presentation/tools/builtin-tools.js';

const ROOT = join(import.meta.dirname, '../..');
const NAMES = builtinTools.map(({ name }) => name);

/** Files of other folders that name several tools, each for a reason that is no property of every tool. */
const ABOUT_SOME = new Map([
  ['src/application/prompt/expand-template.ts', 'the tools that there are no documents for'],
  ['src/domain/permission/policy/background-rule.ts', 'the tools of one process'],
  ['src/domain/tool/foreign-names.ts', 'names that models bring from other servers'],
  [
    'src/infrastructure/command/program/policy-program-locator.ts',
    'the tools that write where programs are looked for',
  ],
  ['src/infrastructure/policy/check/power/command-power.ts', 'the tools that write what programs execute'],
  [
    'src/infrastructure/policy/compile/compile-policy.ts',
    'the tools that stand for all that read, write and run',
  ],
  ['src/infrastructure/policy/effects/tool-key-effects.ts', 'the tools that a key of the policy is about'],
  ['src/infrastructure/policy/policy-templates.ts', 'examples for a new policy'],
  ['src/presentation/hook/own-tools.ts', 'the tools that clients have of their own'],
]);

/** How many tools a text names in quotes or as keys. */
function toolsNamedIn(text: string): number {
  return NAMES.filter((name) => new RegExp(`['"\`]${name}['"\`]|^\\s*${name}:`, 'm').test(text)).length;
}

function sources(): readonly string[] {
  return readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `src/${file}`);
}

describe('A tool', () => {
  it('is in three files: its own, the list and its test; no other file has a table of tools', () => {
    const tables = sources().filter(
      (file) =>
        !file.startsWith('src/presentation/tools/') &&
        toolsNamedIn(readFileSync(join(ROOT, file), 'utf8')) > 2,
    );
    expect(tables.sort()).to.deep.equal([...ABOUT_SOME.keys()].sort());
  });

  it('would be found in a table', () => {
    expect(toolsNamedIn("const READERS = ['read_file', 'read_files', 'list_directory'];")).to.equal(3);
    expect(toolsNamedIn('notes = {\n  echo: {},\n  read_file: {},\n  system_info: {},\n};')).to.equal(3);
  });

  it('brings its notes for the specification along', () => {
    const without = builtinTools.filter(({ specification }) => specification === undefined);
    expect(without.map(({ name }) => name)).to.deep.equal([]);
  });
});
