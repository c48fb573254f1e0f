import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { after, afterEach, before, describe, it } from 'mocha';
import { freePort, RedisServer } from '../support/redis-server.js';
import { Service } from '../support/service.js';

const RIGHTS = ['~castellan:*', '&castellan:*', '+@all', '-@dangerous', '+info'];

describe('the built server on Redis as others run it', function () {
  this.timeout(180_000);
  const folder = mkdtempSync(join(tmpdir(), 'castellan-redis-tls-'));
  const file = (name: string) => join(folder, name);
  let service: Service | undefined;
  let tls: RedisServer;
  let tlsPort: number;

  before(async () => {
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const made = ['-keyout', file('key.pem'), '-out', file('cert.pem')];
    const kind = [
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '1',
    ];
    execFileSync('openssl', ['req', ...kind, ...made, ...subject], { stdio: 'ignore' });
    tlsPort = await freePort();
    const files = ['--tls-cert-file', file('cert.pem'), '--tls-key-file', file('key.pem')];
    const others = ['--tls-ca-cert-file', file('cert.pem'), '--tls-auth-clients', 'no'];
    tls = await RedisServer.start(['--tls-port', String(tlsPort), ...files, ...others]);
    const operator = new Redis(tls.url);
    await operator.call(
      'ACL',
      'SETUSER',
      'app',
      'on',
      '>a-password',
      'resetkeys',
      'resetchannels',
      ...RIGHTS,
    );
    operator.disconnect();
  });
  afterEach(async () => {
    await service?.stop();
    service = undefined;
  });
  after(async () => {
    await tls.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const secured = () => `rediss://app:a-password@127.0.0.1:${tlsPort}`;

  it('serves one session from two instances over TLS, as a user of the ACL', async () => {
    const environment = { NODE_EXTRA_CA_CERTS: file('cert.pem') };
    service = await Service.start({ instances: 2, redisUrl: secured(), environment });
    const client = service.client();
    expect((await client.open()).status).to.equal(200);
    for (let n = 0; n < 4; n += 1) {
      const [answer] = await client.call(n, 'echo', { message: `m${n}` });
      expect(JSON.stringify(answer)).to.contain(`m${n}`);
    }
    for (const { admin } of service.instances) expect((await fetch(`${admin}/readyz`)).status).to.equal(200);
  });

  it('does not take a certificate that nobody vouches for, and never shows the password', async () => {
    service = await Service.start({ instances: 1, redisUrl: secured() });
    const [instance] = service.instances;
    expect((await fetch(`${instance?.admin}/readyz`)).status).to.equal(503);
    expect((await service.client().open()).status).to.equal(503);
    expect(instance?.printed()).not.to.contain('a-password');
  });

  it('refuses a Sentinel by name, and an address of another kind', async () => {
    const sentinel = await RedisServer.startSentinel();
    try {
      const started = (redisUrl: string) =>
        Service.start({ instances: 1, redisUrl }).then(
          async (running) => {
            await running.stop();
            return 'started';
          },
          (error: Error) => error.message,
        );
      expect(await started(sentinel.url)).to.contain('a Redis Sentinel');
      expect(await started(sentinel.url.replace('redis:', 'redis+sentinel:')))
        .to.contain('CASTELLAN_REDIS_URL')
        .and.contain('Sentinel');
    } finally {
      await sentinel.stop();
    }
  });
});
