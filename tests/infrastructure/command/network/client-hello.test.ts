import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { connect } from 'node:tls';
import { expect } from 'chai';
import fc from 'fast-check';
import { before, describe, it } from 'mocha';
import { readClientHello } from '../../../../src/infrastructure/command/network/client-hello.js';

/** What Node's own TLS says first. */
async function realHello(servername: string | undefined): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  const client = connect({ port: address.port, host: '127.0.0.1', ...(servername && { servername }) });
  client.on('error', () => undefined);
  const [socket] = await once(server, 'connection');
  const [bytes] = await once(socket, 'data');
  socket.destroy();
  client.destroy();
  server.close();
  return bytes;
}

/** The same handshake in records of this size. */
function split(hello: Buffer, size: number): Buffer {
  const body = hello.subarray(5);
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) {
    const part = body.subarray(at, at + size);
    parts.push(Buffer.from([22, 3, 1, part.length >> 8, part.length & 255]), part);
  }
  return Buffer.concat(parts);
}

describe('readClientHello', () => {
  let hello: Buffer;
  before(async () => {
    hello = await realHello('a.example');
  });

  it('finds the name of a real handshake, and that there is none', async () => {
    expect(readClientHello(hello)).to.deep.equal({ kind: 'hello', name: 'a.example' });
    expect(readClientHello(await realHello(undefined))).to.deep.equal({ kind: 'hello', name: undefined });
  });

  it('finds it over records of any size, and wants more until then', () => {
    for (const size of [1, 2, 3, 7, 50, 200]) {
      const records = split(hello, size);
      expect(readClientHello(records), String(size)).to.deep.equal({ kind: 'hello', name: 'a.example' });
      for (const length of [0, 1, 4, 5, 6, records.length - 1])
        expect(readClientHello(records.subarray(0, length)), `${size} ${length}`).to.deep.equal({
          kind: 'more',
        });
    }
  });

  it('refuses what begins as something else', () => {
    for (const other of [
      'GET / HTTP/1.1\r\n',
      '\x80\x2e\x01',
      '\x15\x03\x01\0\x02',
      '\x16\x02\0',
      '\x16\x03\x01\0\0',
      '\x16\x03\x01\xff\xff',
      '\x16\x03\x01\0\x01\x02',
    ])
      expect(readClientHello(Buffer.from(other, 'latin1')), JSON.stringify(other)).to.deep.equal({
        kind: 'broken',
      });
  });

  it('never throws and never makes a name up, whatever one byte is changed to', () => {
    fc.assert(
      fc.property(fc.nat(hello.length - 1), fc.nat(255), (at, value) => {
        const changed = Buffer.from(hello);
        changed[at] = value;
        const read = readClientHello(changed);
        if (read.kind === 'hello' && read.name !== undefined)
          expect(changed.includes(Buffer.from(read.name, 'latin1'))).to.equal(true);
      }),
      { numRuns: 5000 },
    );
  });

  it('reads 100,000 random starts without a fault', () => {
    let seed = 1;
    const next = (): number => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return (seed >> 16) & 255;
    };
    for (let run = 0; run < 100_000; run += 1) {
      const bytes = Buffer.from(Array.from({ length: next() & 63 }, next));
      if (run % 2 === 0) bytes.set([22, 3, 1].slice(0, bytes.length));
      expect(readClientHello(bytes).kind).to.be.oneOf(['more', 'broken', 'hello']);
    }
  }).timeout(60_000);
});
