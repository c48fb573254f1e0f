import { posix } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { enterDirectory, explicitPath, pathFrom } from '../../../src/domain/command/working-directory.js';

describe('enterDirectory', () => {
  const TABLE: readonly (readonly [from: string, directory: string, entered: string])[] = [
    ['.', 'a', 'a'],
    ['.', '.', '.'],
    ['a', '..', '.'],
    ['a/b', '../c/', 'a/c'],
    ['.', '..', '..'],
    ['..', '..', '../..'],
    ['..', 'a', '../a'],
    ['a', '/b', '/b'],
    ['/a', '..', '/'],
    ['/', '..', '/'],
    ['/a', 'b//c', '/a/b/c'],
    ['a', '../../b', '../b'],
  ];
  for (const [from, directory, entered] of TABLE) {
    it(`from ${from} to ${directory}: ${entered}`, () =>
      expect(enterDirectory(from, directory)).to.equal(entered));
  }

  it('agrees with the lexical joining of paths', () => {
    const part = fc.constantFrom('a', 'b', '..', '.', '');
    const path = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/') || '.');
    fc.assert(
      fc.property(path, path, (from, directory) => {
        const joined = directory.startsWith('/') ? directory : `${from}/${directory}`;
        const wanted = posix.normalize(joined).replace(/(?<=.)\/$/, '');
        expect(enterDirectory(from, directory)).to.equal(wanted);
      }),
    );
  });
});

describe('explicitPath', () => {
  it('begins so that nobody takes it for an option', () => {
    for (const path of ['/a', '.', '..', './a', '../a']) expect(explicitPath(path)).to.equal(path);
    for (const path of ['a', '-rf', '.a', '..a', '~']) expect(explicitPath(path)).to.equal(`./${path}`);
  });
});

describe('pathFrom', () => {
  it("is told from the call's own folder", () => {
    expect(pathFrom('.', 'a')).to.equal('a');
    expect(pathFrom('sub', 'a')).to.equal('sub/a');
    expect(pathFrom('sub', '/a')).to.equal('/a');
    expect(pathFrom('/', 'a')).to.equal('/a');
    expect(pathFrom('/', '/a')).to.equal('/a');
  });
});
