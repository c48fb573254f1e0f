import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { LineTransport } from '../../../../src/presentation/mcp/stdio/line-transport.js';
import { Wire } from '../../../support/wire.js';

const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });

/** Takes one write, and the next when it is released. */
function slowReader() {
  let taken: (() => void) | undefined;
  const output = new Writable({
    highWaterMark: 10,
    write(_chunk, _encoding, done) {
      taken = done;
    },
  });
  return { output, release: () => taken?.() };
}

describe('LineTransport', () => {
  it('S3-01: answers a line that is not JSON with -32700 and id null, and serves on', async () => {
    const wire = new Wire();
    wire.raw('{"jsonrpc":"2.0",\n\u0000\u0001\n');
    wire.send(ping(1));
    await wire.answer(1);
    const errors = wire.received.filter(({ id }) => id === null);
    expect(errors.map(({ error }) => error?.code)).to.deep.equal([-32700, -32700]);
  });

  it('answers JSON that is no message with -32600, under its id where it has one', async () => {
    const wire = new Wire();
    wire.send(7, 'x', null, { id: 3, method: 'ping' });
    expect((await wire.answer(3)).error?.code).to.equal(-32600);
    expect(wire.received.map(({ id }) => id)).to.deep.equal([null, null, null, 3]);
  });

  it('answers a line over the limit and takes the next one', async () => {
    const wire = new Wire([], { maxMessageBytes: 200 });
    wire.send({ ...ping(1), params: { text: 'x'.repeat(500) } }, ping(2));
    await wire.answer(2);
    expect(wire.received[0]).to.have.nested.property('error.code', -32600);
    expect(wire.received[0]?.error?.message).to.contain('at most 200 bytes');
    expect(wire.received[0]?.id).to.equal(null);
  });

  it('unpacks batches under 2025-03-26', async () => {
    const wire = new Wire();
    await wire.open('2025-03-26');
    wire.send([ping(1), { jsonrpc: '2.0', method: 'notifications/x' }, 'nonsense', ping(2)]);
    await wire.answer(2);
    expect((await wire.settled()).map(({ id }) => id)).to.have.members([0, 1, null, 2]);
    wire.send([]);
    wire.send(Array.from({ length: 1001 }, (_, n) => ping(n + 10)));
    await wire.request(9, 'ping');
    expect(wire.received.filter(({ error }) => error?.message.includes('1 to 1000'))).to.have.length(2);
    expect(wire.received.some(({ id }) => id === 10)).to.equal(false);
  });

  for (const version of ['2024-11-05', '2025-06-18', '2025-11-25']) {
    it(`refuses a batch once under ${version}`, async () => {
      const wire = new Wire();
      await wire.open(version);
      wire.send([ping(1), ping(2)]);
      await wire.request(3, 'ping');
      expect((await wire.settled()).map(({ id }) => id)).to.deep.equal([0, null, 3]);
      expect(wire.received[1]?.error?.code).to.equal(-32600);
    });
  }

  it('sends the messages of one turn in one write', async () => {
    const writes: string[] = [];
    const output = new Writable({
      write(chunk, _encoding, done) {
        writes.push(String(chunk));
        done();
      },
    });
    const transport = new LineTransport(new PassThrough(), output, 1000);
    for (let id = 0; id < 5; id += 1) void transport.send({ jsonrpc: '2.0', id, result: {} });
    await new Promise((resolve) => setImmediate(resolve));
    expect(writes).to.have.length(1);
    expect(writes[0]?.trimEnd().split('\n')).to.have.length(5);
  });

  it('stops reading while its reader does not keep up, and goes on after', async () => {
    const input = new PassThrough();
    const { output, release } = slowReader();
    const transport = new LineTransport(input, output, 1000);
    let seen = 0;
    transport.onvalue = () => {
      seen += 1;
      void transport.send({ jsonrpc: '2.0', id: seen, result: { text: 'x'.repeat(100) } });
    };
    await transport.start();
    input.write(`${JSON.stringify(ping(1))}\n`);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(input.isPaused()).to.equal(true);
    input.write(`${JSON.stringify(ping(2))}\n`);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(seen).to.equal(1);
    release();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(seen).to.equal(2);
  });

  it('does not read again once told to stop, also when its reader catches up later', async () => {
    const input = new PassThrough();
    const { output, release } = slowReader();
    const transport = new LineTransport(input, output, 1000);
    await transport.start();
    await transport.send({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(100) } });
    await new Promise((resolve) => setImmediate(resolve));
    transport.stopReading();
    const drained = once(output, 'drain');
    release();
    await drained;
    expect(input.isPaused()).to.equal(true);
  });

  it('is over when its input ends, and answers a last line without newline', async () => {
    const wire = new Wire();
    const closed = new Promise<void>((resolve) => {
      wire.transport.onclose = resolve;
    });
    wire.raw(JSON.stringify(ping(1)));
    wire.input.end();
    await closed;
    expect((await wire.answer(1)).result).to.deep.equal({});
  });

  it('is over when its reader has gone, once and without a crash', async () => {
    const wire = new Wire();
    let closed = 0;
    const errors: Error[] = [];
    wire.transport.onclose = () => {
      closed += 1;
    };
    wire.transport.onerror = (error) => errors.push(error);
    wire.output.destroy(new Error('EPIPE'));
    await new Promise((resolve) => setImmediate(resolve));
    wire.send(ping(1));
    await new Promise((resolve) => setImmediate(resolve));
    expect(closed).to.equal(1);
    expect(errors.map(({ message }) => message)).to.deep.equal(['EPIPE']);
    await wire.transport.close();
  });

  it('writes out what waits when it is closed, and nothing after', async () => {
    const wire = new Wire();
    void wire.transport.send({ jsonrpc: '2.0', id: 1, result: {} });
    await wire.transport.close();
    void wire.transport.send({ jsonrpc: '2.0', id: 2, result: {} });
    expect((await wire.settled()).map(({ id }) => id)).to.deep.equal([1]);
  });
});
