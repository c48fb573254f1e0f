import { expect } from 'chai';
import ts from 'typescript';
import { withoutDecorators } from '../../scripts/plain-decorators.js';

const HEAD = `const applied = [];
const note = (name) => (target, member, index) => void applied.push([name, target.name, member, index]);
`;

const DECORATED = `@note('second') @note('first') export class Sample {
  #kept = 1;
  constructor(@note('a') readonly a: number, b: string, @note('c') private readonly c: number) {}
  kept() { return this.#kept; }
}
export class Plain { #x = 1; }
`;

describe('withoutDecorators', () => {
  it('calls what a decorator would have called, in the order of the language', () => {
    const plain = run(withoutDecorators('sample.ts', HEAD + DECORATED));
    expect(plain).to.deep.equal(run(HEAD + DECORATED));
    expect(plain).to.deep.equal([
      ['c', 'Sample', undefined, 2],
      ['a', 'Sample', undefined, 0],
      ['first', 'Sample', undefined, undefined],
      ['second', 'Sample', undefined, undefined],
    ]);
  });

  it('leaves private fields private fields, and a class without decorators as it is', () => {
    const text = withoutDecorators('sample.ts', DECORATED);
    expect(text).to.contain('return this.#kept;').and.contain('export class Plain { #x = 1; }');
    expect(text).not.to.contain('@');
    expect(withoutDecorators('plain.ts', 'export class Plain { #x = 1; }')).to.equal(
      'export class Plain { #x = 1; }',
    );
  });
});

/** What was applied when the text ran as the compiler of the language has it. */
function run(text: string): unknown {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.CommonJS,
      experimentalDecorators: true,
    },
  });
  return new Function('exports', `${outputText}\nreturn applied;`)({});
}
