import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { argumentDigest } from '../../../../src/domain/permission/consent/argument-digest.js';

const sha = (text: string) => createHash('sha256').update(text).digest('hex');

function digestOf(args: unknown): string {
  const digest = argumentDigest(args, sha);
  if (!digest.success) throw new Error(digest.error);
  return digest.value;
}

describe('argumentDigest', () => {
  it('does not depend on the order of keys, at any depth', () => {
    expect(digestOf({ a: 1, b: { c: [1, { d: 2, e: 3 }] } })).to.equal(
      digestOf({ b: { c: [1, { e: 3, d: 2 }] }, a: 1 }),
    );
  });

  it('differs for every two values that JSON tells apart', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
        const same = sorted(plain(one)) === sorted(plain(other));
        expect(digestOf(plain(one)) === digestOf(plain(other))).to.equal(same);
      }),
      { numRuns: 300 },
    );
  });

  it('tells long strings apart from each other and from what stands for them', () => {
    const long = 'x'.repeat(10_000);
    expect(digestOf({ a: long })).to.not.equal(digestOf({ a: `${long.slice(1)}y` }));
    expect(digestOf({ a: long })).to.not.equal(digestOf({ a: `#10000:${sha(long)}` }));
  });

  it('refuses arguments that are nested without end, and does not overflow', () => {
    const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    expect(argumentDigest(deep, sha).success).to.equal(false);
  });

  it('keeps members of Object.prototype apart', () => {
    expect(digestOf(JSON.parse('{"__proto__":{"a":1}}'))).to.not.equal(digestOf({}));
  });
});

function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}
