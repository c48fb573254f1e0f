import { createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import type { BubblewrapSandbox } from '../../src/infrastructure/command/sandbox/bubblewrap-sandbox.js';
import {
  FakeInternet,
  hostTerms,
  portOf,
  type RecordedNetwork,
  recordedNetwork,
  SilentListener,
  TestAuthority,
} from '../support/host-network.js';
import { NETWORK_ATTACKS, PRELUDE } from '../support/network-attacks.js';
import { outcomeOf, requireSandbox, SandboxGround } from '../support/sandbox-jobs.js';

const SPECIAL: Readonly<Record<string, string>> = {
  meta: '169.254.169.254',
  private: '10.0.0.5',
  cgnat: '100.64.0.9',
  here: '127.0.0.1',
  zero: '0.0.0.0',
  multi: '224.0.0.1',
  docs: '192.0.2.7',
  azure: '168.63.129.16',
  six: '::1',
  unique: 'fd00::7',
  mapped: '::ffff:127.0.0.1',
};
const LISTED = ['plain', 'safe', 'own', 'moving', ...Object.keys(SPECIAL)].map((name) => `${name}.example`);
const DENIED = '1.2.9.9';

describe('Attempts to pass a network by host', () => {
  let ground: SandboxGround;
  let sandbox: BubblewrapSandbox;
  let internet: FakeInternet;
  let authority: TestAuthority;
  let silent: SilentListener;
  let onHost: SilentListener;
  let abstract: Server;
  let abstractBytes = 0;
  const terms = hostTerms([...LISTED, 'odd.example:8443', '*.star.example'], { denied: ['no.star.example'] });

  before(async () => {
    ground = new SandboxGround();
    authority = new TestAuthority();
    internet = new FakeInternet();
    sandbox = ground.bubblewrap({ outside: internet });
    silent = new SilentListener();
    onHost = new SilentListener();
    abstract = createServer((socket) => socket.on('data', (chunk) => (abstractBytes += chunk.length)));
    await requireSandbox(sandbox);
    await internet.http('plain.example');
    await internet.https('safe.example', authority);
    await internet.https('odd.example', authority, 8443);
    await internet.http('moving.example');
    for (const [name, address] of Object.entries(SPECIAL)) internet.name(`${name}.example`, [address]);
    internet.name('own.example', [ownAddress()]);
    internet.name('denied.example', [DENIED]);
    for (const port of [80, 443, 22, 8443, 53]) {
      await internet.serve('denied.example', port, port === 80 ? silent.server : createServer());
    }
    await new Promise<void>((resolve) => onHost.server.listen(0, '127.0.0.1', resolve));
    await new Promise<void>((resolve) => abstract.listen('\0castellan-attack', resolve));
  });

  after(async () => {
    await sandbox.close();
    await internet.close();
    for (const server of [onHost.server, abstract]) await new Promise((resolve) => server.close(resolve));
    authority.remove();
    ground.remove();
  });

  const run = (code: string, network: RecordedNetwork) =>
    outcomeOf(sandbox, {
      ...ground.job({
        program: { kind: 'argv', file: '/usr/bin/python3', args: ['-c', `${PRELUDE}\n${code}`] },
        env: { PATH: '/usr/bin:/bin', HOST_PORT: String(portOf(onHost.server)) },
        network,
      }),
      session: 'one',
    });

  it('are at least 80, none of them twice', () => {
    expect(new Set(NETWORK_ATTACKS.map(({ name }) => name)).size).to.equal(NETWORK_ATTACKS.length);
    expect(NETWORK_ATTACKS.length).to.be.at.least(80);
  });

  it('begin where what is listed is reached', async () => {
    const network = recordedNetwork(terms);
    const { stdout } = await run(
      "http(80, b'GET /x HTTP/1.1\\r\\nHost: plain.example\\r\\nConnection: close\\r\\n\\r\\n')",
      network,
    );
    expect(stdout).to.include('plain.example/x');
    const shaken = await run(
      "c = ssl._create_unverified_context(); print(c.wrap_socket(tcp(socket.gethostbyname('safe.example'), 443), server_hostname='safe.example').version())",
      network,
    );
    expect(shaken.stdout).to.include('TLSv1');
  });

  for (const { name, code, by } of NETWORK_ATTACKS)
    it(`${by === 'server' ? 'is refused and recorded' : 'is refused by the kernel or the protocol'}: ${name}`, async () => {
      const network = recordedNetwork(terms);
      const dialled = internet.dialled.length;
      if (name === 'a name whose address changes') internet.changing('moving.example', '10.0.0.5');
      const { stdout, stderr } = await run(code, network);
      expect(stdout, stderr).not.to.include('denied.example/');
      expect(silent.bytes + onHost.bytes + abstractBytes, `${stdout}${stderr}`).to.equal(0);
      const wrong = internet.dialled.slice(dialled).filter((address) => !isAllowed(address));
      expect(wrong).to.deep.equal([]);
      const refused = network.connections.filter(({ outcome }) => outcome === 'refused');
      if (by === 'server') expect(refused, `${stdout}${stderr}`).not.to.deep.equal([]);
    });

  /** Nothing but the addresses of listed names: 1.2.3.x. */
  function isAllowed(address: string): boolean {
    return /^1\.2\.3\.\d+:/.test(address);
  }
});

function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flat();
  return all.find((one) => one?.family === 'IPv4' && !one.internal)?.address ?? '127.0.0.1';
}
