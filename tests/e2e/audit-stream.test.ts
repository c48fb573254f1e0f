import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { createServer as createTls } from 'node:tls';
import { expect } from 'chai';
import { CliWorkspace } from '../support/cli-workspace.js';
import { eventually } from '../support/eventually.js';
import { framesOf } from '../support/syslog-frames.js';

const CALLS = 30;

describe('audit records that are passed on', () => {
  let workspace: CliWorkspace;
  let closing: (() => void)[];
  beforeEach(() => {
    workspace = new CliWorkspace();
    closing = [];
  });
  afterEach(async () => {
    await workspace.remove();
    for (const close of closing) close();
  });

  const listen = async (server: Server): Promise<number> => {
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => socket.destroy())));
    closing.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const place = server.address();
    if (place === null || typeof place === 'string') throw new Error('no port');
    return place.port;
  };
  /** A server whose settings name the address, after some calls. */
  const call = async (address: string, env: NodeJS.ProcessEnv = {}) => {
    const config = workspace.write('../castellan.yaml', `audit: { stream: "${address}" }\n`);
    const server = workspace.serve(['serve', '--config', config], env);
    await server.initialize();
    for (let n = 0; n < CALLS; n += 1) {
      const answer = await server.callTool(n, 'echo', { message: `call ${n}` });
      expect(answer.result?.isError).to.not.equal(true);
    }
    return server;
  };
  const onDisk = () =>
    workspace
      .auditSegments()
      .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
      .filter((line) => line !== '');
  /** What follows the header of RFC 5424. */
  const recordsIn = (bytes: Buffer) => framesOf(bytes).map((frame) => frame.slice(frame.indexOf('{')));

  it('reach a syslog server as they stand on the disk, in their order', async () => {
    let received = Buffer.alloc(0);
    const take = (socket: Socket) =>
      socket.on('data', (data) => {
        received = Buffer.concat([received, data]);
      });
    const port = await listen(createServer(take));
    const server = await call(`syslog://127.0.0.1:${port}`);
    await server.end();
    await eventually('all arrive', () => recordsIn(received).length >= CALLS + 1);
    expect(recordsIn(received)).to.deep.equal(onDisk());
    expect(onDisk().filter((line) => line.includes('"tool":"echo"'))).to.have.length(CALLS);
    expect(server.stderr).to.not.include('passed on');
  });

  it('reach an OTLP receiver as they stand on the disk, in their order', async () => {
    const records: string[] = [];
    const receiver = createHttp((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { resourceLogs } = JSON.parse(Buffer.concat(parts).toString());
        for (const { body } of resourceLogs[0].scopeLogs[0].logRecords) records.push(body.stringValue);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
    const port = await listen(receiver);
    const server = await call(`http://127.0.0.1:${port}/v1/logs`);
    await server.end();
    expect(records).to.deep.equal(onDisk());
  });

  it('go over TLS to a server that the machine trusts, and to no other', async () => {
    const folder = join(dirname(workspace.folder), 'tls');
    mkdirSync(folder);
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '2',
        '-keyout',
        key,
        '-out',
        cert,
        ...subject,
      ],
      { stdio: 'ignore' },
    );
    let received = Buffer.alloc(0);
    const receiver = createTls({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) => {
      socket.on('error', () => socket.destroy());
      socket.on('data', (data) => {
        received = Buffer.concat([received, data]);
      });
    });
    const port = await listen(receiver);
    const stranger = await call(`syslogs://localhost:${port}`);
    await eventually('it is reported', () => stranger.stderr.includes('Audit records are not passed on'));
    await stranger.end();
    expect(received.length).to.equal(0);
    const trusted = await call(`syslogs://localhost:${port}`, { NODE_EXTRA_CA_CERTS: cert });
    await trusted.end();
    const expected = onDisk().slice(-CALLS - 1);
    await eventually('all arrive', () => recordsIn(received).length >= expected.length);
    expect(recordsIn(received)).to.deep.equal(expected);
  });

  it('hold up no call while the receiver takes nothing, and the end only for a moment', async () => {
    const port = await listen(createServer((socket) => socket.pause()));
    const silent = createHttp(() => undefined);
    const webPort = await listen(silent);
    for (const address of [`syslog://127.0.0.1:${port}`, `http://127.0.0.1:${webPort}/v1/logs`]) {
      const server = await call(address);
      const { code } = await server.end();
      expect(code, address).to.equal(0);
    }
    expect(onDisk().filter((line) => line.includes('"tool":"echo"'))).to.have.length(2 * CALLS);
  });

  it('stay on the disk alone when there is no receiver, and the log says so with their number', async () => {
    const server = await call('syslog://127.0.0.1:1');
    await eventually('it is reported', () => server.stderr.includes('Audit records are not passed on'));
    const { code } = await server.end();
    expect(code).to.equal(0);
    expect(server.stderr).to.match(/The syslog server does not answer: .*ECONNREFUSED/);
    expect(server.stderr).to.match(
      new RegExp(`the server ends[^\n]*${CALLS + 1}|${CALLS + 1}[^\n]*the server ends`),
    );
    const verified = await workspace.run(['audit', 'verify']);
    expect(verified.code, verified.stdout + verified.stderr).to.equal(0);
  });

  for (const [address, expected] of [
    ['syslog://logs.example.com:601', 'Expected syslogs or https'],
    ['http://10.0.0.1:4318/v1/logs', 'Expected syslogs or https'],
    ['https://user:secret@logs.example.com/v1/logs', 'without a user name or password'],
    ['udp://127.0.0.1:514', 'Expected an address such as syslogs://'],
    ['logs.example.com', 'Expected an address such as syslogs://'],
  ] as const)
    it(`refuses the start with ${address.replace('secret', '…')}`, async () => {
      const config = workspace.write('../castellan.yaml', `audit: { stream: "${address}" }\n`);
      const { code, stderr } = await workspace.run(['serve', '--config', config]);
      expect(code).to.equal(3);
      expect(stderr).to.include(expected).and.not.include('secret');
    });

  it('are sent nowhere by settings that nobody has trusted', async () => {
    let connections = 0;
    const port = await listen(
      createServer(() => {
        connections += 1;
      }),
    );
    workspace.write('castellan.yaml', `audit: { stream: "syslog://127.0.0.1:${port}" }\n`);
    const server = workspace.serve(['serve']);
    await server.initialize();
    await server.callTool('a', 'echo', { message: 'hello' });
    await server.end();
    expect(connections).to.equal(0);
    expect(onDisk().length).to.be.above(1);
  });
});
