import { expect } from 'chai';
import { describe, it } from 'mocha';
import { HostAccess } from '../../../../src/domain/permission/network/host-access.js';
import { AddressBook } from '../../../../src/infrastructure/command/network/address-book.js';
import { NameServer } from '../../../../src/infrastructure/command/network/name-server.js';
import { hostTerms } from '../../../support/host-network.js';

const A = 1;
const AAAA = 28;

function question(name: string, type = A, { flags = 0x0100, count = 1, kind = 1 } = {}): Buffer {
  const header = Buffer.alloc(12);
  for (const [index, value] of [7, flags, count].entries()) header.writeUInt16BE(value, index * 2);
  const labels = name
    .split('.')
    .filter(Boolean)
    .flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]);
  return Buffer.concat([header, ...labels, Buffer.from([0, type >> 8, type & 255, 0, kind])]);
}

function server(now?: () => number) {
  const refused: string[] = [];
  const book = new AddressBook();
  const access = new HostAccess([hostTerms(['a.example', '*.b.example'])]);
  const names = new NameServer({ access, book, refused: (name) => refused.push(name), ...(now && { now }) });
  const ask = (message: Buffer) => {
    const answer = names.answer(message);
    return answer === undefined
      ? undefined
      : {
          code: (answer[3] ?? 0) & 15,
          count: answer.readUInt16BE(6),
          address: answer.subarray(-4).join('.'),
        };
  };
  return { ask, names, refused, book };
}

describe('NameServer', () => {
  it('gives each listed name an address of its own, the same again', () => {
    const { ask, book } = server();
    expect(ask(question('a.example'))).to.deep.equal({ code: 0, count: 1, address: '127.64.0.1' });
    expect(ask(question('x.b.example'))).to.deep.equal({ code: 0, count: 1, address: '127.64.0.2' });
    expect(ask(question('A.EXAMPLE'))).to.include({ address: '127.64.0.1' });
    expect(book.nameOf('127.64.0.2')).to.equal('x.b.example');
  });

  it('has no other records of listed names, and no other names', () => {
    const { ask, refused } = server();
    expect(ask(question('a.example', AAAA))).to.include({ code: 0, count: 0 });
    expect(ask(question('c.example'))).to.include({ code: 3, count: 0 });
    expect(ask(question('x.a.example', 16))).to.include({ code: 3, count: 0 });
    expect(refused).to.deep.equal(['c.example', 'x.a.example']);
  });

  it('knows localhost, and refuses look-ups of addresses without a record', () => {
    const { ask, refused } = server();
    expect(ask(question('localhost'))).to.include({ code: 0, address: '127.0.0.1' });
    expect(ask(question('1.0.64.127.in-addr.arpa', 12))).to.include({ code: 3 });
    expect(refused).to.deep.equal([]);
  });

  it('answers what it does not do with a code, and no question with nothing', () => {
    const { ask } = server();
    expect(ask(question('a.example', A, { count: 2 }))).to.include({ code: 1 });
    expect(ask(question('a.example', A, { count: 0 }))).to.include({ code: 1 });
    expect(ask(question('a.example', A, { kind: 3 }))).to.include({ code: 4 });
    expect(ask(question('a.example', A, { flags: 0x2800 }))).to.include({ code: 4 });
    expect(ask(question('a.example', A, { flags: 0x8180 }))).to.equal(undefined);
    expect(ask(question('a.example').subarray(0, 20))).to.include({ code: 1 });
    expect(ask(Buffer.alloc(5000))).to.equal(undefined);
  });

  it('does not take a dot within a label for two labels', () => {
    const { ask } = server();
    const packed = question('axexample');
    packed[packed.indexOf('axexample') + 1] = 0x2e;
    expect(ask(packed)).to.include({ code: 3 });
  });

  it('answers so many questions in a second and no more', () => {
    let at = 0;
    const { names } = server(() => at);
    const answered = () =>
      Array.from({ length: 5000 }, () => names.answer(question('a.example'))).filter(Boolean).length;
    expect(answered()).to.equal(2000);
    at = 1000;
    expect(answered()).to.equal(1000);
  });

  it('gives out 4,096 addresses', () => {
    const { ask, book } = server();
    for (let name = 0; name < 4096; name += 1) book.addressOf(`n${name}.b.example`);
    expect(ask(question('one-more.b.example'))).to.include({ code: 2 });
    expect(ask(question('n4095.b.example'))).to.deep.equal({ code: 0, count: 1, address: '127.64.16.0' });
  });

  it('reads 200,000 random packets without a fault', () => {
    let at = 0;
    const { names } = server(() => (at += 1000));
    let seed = 7;
    const next = (): number => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return (seed >> 16) & 255;
    };
    let answered = 0;
    for (let run = 0; run < 200_000; run += 1) {
      const bytes = Buffer.from(Array.from({ length: next() & 63 }, next));
      if (run % 2 === 0)
        bytes.set([1, 0, 0, 1].slice(0, Math.max(0, bytes.length - 2)), Math.min(2, bytes.length));
      if (names.answer(bytes) !== undefined) answered += 1;
    }
    expect(answered).to.be.greaterThan(1000);
  }).timeout(120_000);
});
