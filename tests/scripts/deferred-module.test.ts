import { expect } from 'chai';
import { readDeferredModule } from '../../scripts/deferred-module.js';

const HANDLER = `import { inject, injectable } from 'inversify';
import { Clock as Watch } from '../ports/clock.js';
import { helper } from './helper.js';

@injectable()
export class Handler {
  constructor(@inject(Watch) private readonly clock: Watch, private readonly limit = 5) {}
  handle(): number { return helper(this.clock, this.limit); }
}
`;

describe('readDeferredModule', () => {
  it('reads functions, whether declared or assigned, once each', () => {
    const text = `export function a(x: string): string;
export function a(x: number): string;
export function a(x: unknown): string { return String(x); }
export const b = (x: string) => x;
function inner() {}
`;
    expect(readDeferredModule('m.ts', text)?.functions).to.deep.equal(['a', 'b']);
  });

  it('reads what the container gives to a class, and the imports which that needs and no others', () => {
    const read = readDeferredModule('m.ts', HANDLER);
    expect(read?.classes).to.deep.equal([
      { name: 'Handler', decorators: '@injectable() ', parameters: ['@inject(Watch) a0', 'a1'] },
    ]);
    expect(read?.imports).to.deep.equal([
      `import { injectable } from 'inversify';`,
      `import { inject } from 'inversify';`,
      `import { Clock as Watch } from '../ports/clock.js';`,
    ]);
  });

  it('copies plain constants', () => {
    const read = readDeferredModule('m.ts', `export const MOST = 64 * 1024;\nexport const NAME = 'x';\n`);
    expect(read?.constants).to.deep.equal(['MOST = 64 * 1024', `NAME = 'x'`]);
  });

  const whole: Readonly<Record<string, string>> = {
    'a table': 'export const TABLE = { a: 1 };',
    'a class with a parent': 'export class Fault extends Error {}',
    'an abstract class': 'export abstract class Port {}',
    'a class with statics': 'export class Result { static ok() {} }',
    'a decorated member': 'export class A { @inject(B) b; }',
    'a decorator of its own':
      'const T = Symbol(); @injectable() export class A { constructor(@inject(T) t: unknown) {} }',
    'something it does when it is loaded': 'register();',
    'an import for what it does': `import './polyfill.js';`,
    're-exports': `export { a } from './a.js';`,
    'an enumeration': 'export enum Kind { A }',
  };
  for (const [what, text] of Object.entries(whole)) {
    it(`leaves a module with ${what} whole`, () => {
      expect(readDeferredModule('m.ts', text)).to.equal(undefined);
    });
  }
});
