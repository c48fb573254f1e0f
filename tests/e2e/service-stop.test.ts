import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import { eventually } from '../support/eventually.js';
import { Service } from '../support/service.js';

const COMMAND = resolve(import.meta.dirname, '../../dist/main.js');

describe('an instance of a service that is stopped', function () {
  this.timeout(120_000);
  let service: Service | undefined;

  afterEach(() => service?.stop());

  it('takes no connection while it finishes, so that a proxy goes to another instance', async () => {
    service = await Service.start({ instances: 2 });
    const [leaving] = service.instances;
    if (leaving === undefined) throw new Error('no instance');
    const busy = service.clientOf(leaving);
    await busy.open();
    const params = { name: 'execute_command', arguments: { command: 'touch begun; sleep 60' } };
    const call = busy.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }).catch(() => undefined);
    const client = service.client();
    await client.open();
    await eventually('the command runs', async () =>
      JSON.stringify(await client.call(2, 'list_directory', { path: '.' })).includes('begun'),
    );

    const gone = once(leaving.process, 'exit');
    leaving.process.kill('SIGTERM');
    await eventually('it is leaving', async () => {
      const ready = await fetch(`${leaving.admin}/readyz`).catch(() => undefined);
      return ready?.status !== 200;
    });
    for (let n = 0; n < 6; n += 1) {
      const answer = await client.post({ jsonrpc: '2.0', id: `p${n}`, method: 'ping' });
      expect(answer.status, answer.text).to.equal(200);
    }
    await gone;
    await call;
    service.instances.shift();
  });

  it('is not joined by one that must not: that ends with exit code 3 and the reason', async () => {
    service = await Service.start({ instances: 1 });
    const args = [COMMAND, 'serve', '--http', '--port', '0', '--workspace', service.workspace];
    const { status, stderr } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        HOME: service.folder,
        CASTELLAN_TOKEN: 'a-token-of-somebody-else',
        CASTELLAN_REDIS_URL: service.redis.url,
        CASTELLAN_REDIS_SECRET: 'a-secret-that-the-other-instances-do-not-have',
      },
    });
    expect(stderr).to.contain('instances with another secret');
    expect(status).to.equal(3);
  });
});
