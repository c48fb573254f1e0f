import { expect } from 'chai';
import { describe, it } from 'mocha';
import { AddressCheck } from '../../../../src/infrastructure/command/network/address-check.js';
import { parsePrivateRange } from '../../../../src/infrastructure/command/network/private-range.js';

const OWN = new Set(['9.9.9.10', '10.0.0.77']);
const check = (...lists: readonly (readonly string[])[]) => new AddressCheck(lists, () => OWN);

describe('AddressCheck', () => {
  for (const address of [
    '1.1.1.1',
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '2606:4700::1',
    '2a00:1450:4001::5',
  ])
    it(`lets a public address pass: ${address}`, () =>
      expect(check([]).problem(address)).to.equal(undefined));

  const SPECIAL = [
    ...[
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '127.0.0.1',
      '127.9.9.9',
      '169.254.169.254',
      '172.16.0.1',
      '192.0.0.8',
    ],
    ...[
      '192.0.2.1',
      '192.88.99.1',
      '192.168.1.1',
      '198.18.0.1',
      '198.51.100.1',
      '203.0.113.1',
      '224.0.0.1',
      '240.0.0.1',
    ],
    ...[
      '255.255.255.255',
      '168.63.129.16',
      '::',
      '::1',
      '::ffff:1.1.1.1',
      '::1.1.1.1',
      '64:ff9b::101:101',
      'fe80::1',
    ],
    ...[
      'fe80::1%eth0',
      'fc00::1',
      'fd12::1',
      'ff02::1',
      '2001::1',
      '2001:db8::1',
      '2002:101:101::',
      '3fff::1',
      '100::1',
    ],
    ...['9.9.9.10', 'localhost', '', '1.2.3', '0x1010101'],
  ];
  for (const address of SPECIAL)
    it(`refuses ${address || 'nothing'}`, () => expect(check([]).problem(address)).to.be.a('string'));

  it('lets a private address pass that every file lists, but never one of this machine', () => {
    expect(check(['10.0.0.0/8']).problem('10.1.2.3')).to.equal(undefined);
    expect(check(['10.0.0.0/8'], ['10.2.0.0/16']).problem('10.1.2.3')).to.be.a('string');
    expect(check(['10.0.0.0/8'], []).problem('10.1.2.3')).to.be.a('string');
    expect(check(['fd12::/16']).problem('fd12::1')).to.equal(undefined);
    expect(check(['10.0.0.0/8']).problem('10.0.0.77')).to.match(/of this machine/);
    expect(check().problem('10.1.2.3')).to.be.a('string');
  });
});

describe('parsePrivateRange', () => {
  for (const range of [
    '10.0.0.0/8',
    '10.1.2.3',
    '172.16.0.0/12',
    '192.168.4.0/24',
    '100.64.0.0/10',
    'fd00::/8',
  ])
    it(`takes ${range}`, () => expect(parsePrivateRange(range)).to.include({ address: range.split('/')[0] }));
  for (const other of [
    '0.0.0.0/0',
    '10.0.0.0/7',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '8.8.8.0/24',
    '::/0',
    '::ffff:10.0.0.1/128',
    '::1',
    'fe80::/10',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    'private',
    '',
  ])
    it(`refuses ${JSON.stringify(other)}`, () => expect(parsePrivateRange(other)).to.equal(undefined));
});
