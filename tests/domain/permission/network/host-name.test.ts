import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { parseHostName, parsePlainAddress } from '../../../../src/domain/permission/network/host-name.js';

describe('parseHostName', () => {
  for (const [raw, name] of [
    ['a.example', 'a.example'],
    ['A.Example.', 'a.example'],
    ['_x.a-b.example', '_x.a-b.example'],
    ['localhost', 'localhost'],
    ['a..example', undefined],
    ['a.example..', undefined],
    ['', undefined],
    ['.', undefined],
    ['-a.example', undefined],
    ['a-.example', undefined],
    ['a b.example', undefined],
    ['a@b.example', undefined],
    ['a.example/', undefined],
    ['a%2eexample', undefined],
    ['a.example\0', undefined],
    ['bücher.example', undefined],
    ['1.2.3.4', undefined],
    ['2130706433', undefined],
    ['0x7f.1', undefined],
    ['a.0x7f', undefined],
    ['a.example.1', undefined],
    [`${'a'.repeat(64)}.example`, undefined],
    [`${'a.'.repeat(126)}aa`, undefined],
  ] as const)
    it(`reads ${JSON.stringify(raw.slice(0, 40))} as ${name}`, () =>
      expect(parseHostName(raw)).to.equal(name));

  it('reads what it has read in the same way again', () => {
    fc.assert(
      fc.property(fc.string(), (raw) => {
        const name = parseHostName(raw);
        if (name !== undefined) expect(parseHostName(name)).to.equal(name);
      }),
    );
  });
});

describe('parsePlainAddress', () => {
  for (const address of ['0.0.0.0', '127.0.0.1', '255.255.255.255'])
    it(`takes ${address}`, () => expect(parsePlainAddress(address)).to.equal(address));
  for (const other of [
    '127.1',
    '127.0.0.01',
    '0x7f.0.0.1',
    '256.0.0.1',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.4 ',
    '１.2.3.4',
    '',
  ])
    it(`refuses ${JSON.stringify(other)}`, () => expect(parsePlainAddress(other)).to.equal(undefined));
});
