import { createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { SyslogReceiver } from '../../../../src/infrastructure/observability/stream/syslog-receiver.js';
import { eventually } from '../../../support/eventually.js';
import { framesOf } from '../../../support/syslog-frames.js';

describe('SyslogReceiver', () => {
  let server: Server;
  let sockets: Socket[];
  let received: Buffer;
  let receiver: SyslogReceiver;
  let reads: boolean;

  beforeEach(async () => {
    sockets = [];
    received = Buffer.alloc(0);
    reads = true;
    server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => socket.destroy());
      if (!reads) return void socket.pause();
      socket.on('data', (data) => {
        received = Buffer.concat([received, data]);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    receiver = new SyslogReceiver(address());
  });
  afterEach(async () => {
    receiver.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = () => {
    const place = server.address();
    if (place === null || typeof place === 'string') throw new Error('no port');
    return new URL(`syslog://127.0.0.1:${place.port}`);
  };
  const failure = (records: readonly string[]) =>
    receiver.deliver(records).then(
      () => undefined,
      (error: Error) => error.message,
    );

  it('frames each record by its length in bytes, with the header of RFC 5424', async () => {
    const records = [
      '{"n":1,"kind":"segment","time":"2025-01-02T03:04:05.678Z"}',
      '{"n":2,"tool":"größe ✓"}',
    ];
    await receiver.deliver(records);
    await eventually('both arrive', () => framesOf(received).length === 2);
    const [first, second] = framesOf(received);
    expect(first).to.match(
      new RegExp(`^<110>1 2025-01-02T03:04:05\\.678Z [!-~]+ castellan ${process.pid} audit - \\{"n":1`),
    );
    expect(first?.endsWith(records[0] ?? '-')).to.equal(true);
    expect(second).to.match(/^<110>1 - [!-~]+ castellan /);
    expect(second?.endsWith(records[1] ?? '-')).to.equal(true);
  });

  it('keeps one connection, and makes another when it ended', async () => {
    await receiver.deliver(['{"n":1}']);
    await receiver.deliver(['{"n":2}']);
    await eventually('both arrive', () => framesOf(received).length === 2);
    expect(sockets).to.have.length(1);
    const [socket] = sockets;
    socket?.destroy();
    await eventually('it is taken on another connection', async () => {
      await failure(['{"n":3}']);
      return sockets.length === 2 && framesOf(received).some((frame) => frame.includes('"n":3'));
    });
  });

  it('says that nobody listens', async () => {
    const place = address();
    await new Promise((resolve) => server.close(resolve));
    receiver = new SyslogReceiver(place);
    expect(await failure(['{}'])).to.match(/^The syslog server does not answer: .*ECONNREFUSED/);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  it('gives up on a server that takes nothing', async () => {
    reads = false;
    receiver = new SyslogReceiver(address(), 200);
    const large = [`{"x":"${'x'.repeat(32 * 2 ** 20)}"}`];
    expect(await failure(large)).to.equal('The syslog server takes nothing for 0.2 s.');
  });

  it('makes no connection after its end', async () => {
    receiver.close();
    expect(await failure(['{}'])).to.equal('The stream is closed.');
  });
});
