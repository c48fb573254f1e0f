import { expect } from 'chai';
import fc from 'fast-check';
import {
  type Flags,
  type FlagValue,
  mergeFlags,
  parseFlagName,
  parseFlagValue,
  resolveFlag,
} from '../../../src/domain/flag/flag.js';

describe('A flag', () => {
  for (const name of ['dark-mode', 'A_1', '0', '__proto__', 'x'.repeat(100)]) {
    it(`may be called ${name.slice(0, 20)}`, () => {
      expect(parseFlagName(name).success).to.equal(true);
    });
  }

  for (const name of ['', 'a.b', 'a b', 'a/b', 'ä', 'a\n', 'x'.repeat(101)]) {
    it(`may not be called ${JSON.stringify(name.slice(0, 20))}, and the answer says what a name is`, () => {
      const parsed = parseFlagName(name);
      expect(parsed.success).to.equal(false);
      if (!parsed.success) expect(parsed.error).to.match(/letters, digits, underscores and hyphens/);
    });
  }

  for (const value of [true, false, '', 'blue', [], ['a', 'b'], {}, { a: 'x', b: ['y', 'z'] }]) {
    it(`may hold ${JSON.stringify(value)}`, () => {
      const parsed = parseFlagValue(value);
      expect(parsed.success && parsed.value).to.deep.equal(value);
    });
  }

  for (const value of [null, undefined, 1, [1], ['a', ['b']], { a: true }, { a: { b: 'c' } }]) {
    it(`may not hold ${JSON.stringify(value)}`, () => {
      expect(parseFlagValue(value).success).to.equal(false);
    });
  }

  it('may not hold more than 64 KiB', () => {
    expect(parseFlagValue('x'.repeat(65_000)).success).to.equal(true);
    const parsed = parseFlagValue('x'.repeat(66_000));
    if (parsed.success) throw new Error('it was taken');
    expect(parsed.error).to.match(/at most 65536 characters/);
  });
});

describe('Resolution of flags', () => {
  const project: Flags = new Map<string, FlagValue>([
    ['both', 'project'],
    ['own', false],
  ]);
  const global: Flags = new Map<string, FlagValue>([
    ['both', 'global'],
    ['shared', ['x']],
  ]);

  it('S0-49: the project overrides the global flag', () => {
    expect(resolveFlag('both', project, global)).to.deep.equal({ value: 'project', reason: 'PROJECT' });
    expect(resolveFlag('own', project, global)).to.deep.equal({ value: false, reason: 'PROJECT' });
  });

  it('S0-50: the global flag is the default, and without one the flag is absent', () => {
    expect(resolveFlag('shared', project, global)).to.deep.equal({ value: ['x'], reason: 'GLOBAL' });
    expect(resolveFlag('neither', project, global)).to.deep.equal({ reason: 'ABSENT' });
  });

  it('agrees with the merged list for any two sets of flags', () => {
    const flags = fc
      .dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.oneof(fc.boolean(), fc.string()))
      .map((entries): Flags => new Map(Object.entries(entries)));
    fc.assert(
      fc.property(flags, flags, (own, shared) => {
        const merged = mergeFlags(own, shared);
        for (const name of ['a', 'b', 'c', 'd']) {
          expect(merged.get(name)).to.equal(resolveFlag(name, own, shared).value);
        }
        expect([...merged.keys()]).to.deep.equal([...merged.keys()].sort());
      }),
    );
  });
});
