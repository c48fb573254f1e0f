import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { nearestNames } from '../../src/domain/nearest-names.js';

const NAMES = ['read_file', 'write_file', 'list_directory', 'echo'];

describe('nearestNames', () => {
  const table: readonly (readonly [string, readonly string[]])[] = [
    ['read_fil', ['read_file']],
    ['raed_file', ['read_file']],
    ['wite_file', ['write_file']],
    ['ECHO', ['echo']],
    ['ecko', ['echo']],
    ['nothing_like_it', []],
    ['', []],
  ];
  for (const [typed, expected] of table) {
    it(`finds ${JSON.stringify(expected)} for "${typed}"`, () => {
      expect(nearestNames(typed, NAMES)).to.deep.equal(expected);
    });
  }

  it('finds a name that lacks a letter, has one changed or one too many, wherever it is', () => {
    const names = fc.constantFrom(...NAMES);
    fc.assert(
      fc.property(names, fc.nat(), fc.constantFrom('', 'q'), fc.boolean(), (name, at, put, extra) => {
        const place = at % name.length;
        const typed = name.slice(0, place) + put + name.slice(place + (extra ? 0 : 1));
        expect(nearestNames(typed, NAMES)).to.include(name);
      }),
    );
  });

  it('gives at most two, the nearest first, whatever comes', () => {
    expect(nearestNames('aab', ['aaa', 'aab', 'aac'])).to.deep.equal(['aab', 'aaa']);
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (name, candidates) => {
        const found = nearestNames(name, candidates);
        expect(found.length).to.be.at.most(2);
        for (const each of found) expect(candidates).to.include(each);
      }),
    );
  });

  it('compares only the beginning of a monstrous name', () => {
    expect(nearestNames('x'.repeat(1_000_000), NAMES)).to.deep.equal([]);
  });
});
