import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { afterEach, describe, it } from 'mocha';
import { BlockablePort } from '../support/blockable-port.js';
import { eventually } from '../support/eventually.js';
import { type HttpAnswer, type HttpClient, messagesOf } from '../support/http-client.js';
import { Service } from '../support/service.js';

const LONG = process.env.CASTELLAN_LONG === '1';
const ROUNDS = LONG ? 20 : 1;
const CALLS = LONG ? 1000 : 150;
const STOPPED_MS = LONG ? 5000 : 0;
/** Nobody says how fast a busy machine writes. */
const SOME_CALLS_MS = 600_000;

const POLICY = `extends: [builtin:workspace]
tools:
  write_file: { allowed_paths: ["**"], rate: { limit: 1000000/min }, limits: { concurrency: 64 } }
  read_file: { allowed_paths: ["**"], rate: { limit: 1000000/min }, limits: { concurrency: 64 } }
  list_directory: { allowed_paths: ["**"], rate: { limit: 1000000/min, on_store_failure: deny } }
  echo: { rate: { limit: 50/h, burst: 50, on_store_failure: deny } }
`;

const writeCall = (n: number) => ({
  jsonrpc: '2.0',
  id: n,
  method: 'tools/call',
  params: { name: 'write_file', arguments: { path: `f${n}.txt`, content: `c${n}` } },
});

function succeeded(answer: HttpAnswer): boolean {
  return answer.status === 200 && /"result":/.test(answer.text) && !/"isError":true/.test(answer.text);
}

async function isServed(client: HttpClient): Promise<boolean> {
  const answer = await client.post({ jsonrpc: '2.0', id: 'again', method: 'ping' });
  return answer.status === 200;
}

describe('a service that loses parts of itself', function () {
  this.timeout(LONG ? 1_200_000 : 120_000);
  let service: Service | undefined;
  let port: BlockablePort | undefined;

  afterEach(async () => {
    await service?.stop();
    await port?.close();
    service = undefined;
    port = undefined;
  });

  it('loses no completed change to SIGKILL, reports each interrupted call, and goes on with its sessions', async () => {
    service = await Service.start({ policy: POLICY });
    const client = service.client();
    await client.open();
    for (let round = 0; round < ROUNDS; round += 1) {
      let sent = 0;
      const done: number[] = [];
      let interrupted = 0;
      const one = async (): Promise<void> => {
        while (sent < CALLS) {
          const n = round * CALLS + sent++;
          const answer = await client.post(writeCall(n)).catch(() => undefined);
          if (answer !== undefined && succeeded(answer)) done.push(n);
          else {
            interrupted += 1;
            // Never an answer that looks like success, nor one that ends the session.
            expect(answer?.status ?? 502, answer?.text).to.equal(502);
          }
        }
      };
      const load = Promise.all(Array.from({ length: 8 }, one));
      await eventually('calls are under way', () => done.length > CALLS / 5, SOME_CALLS_MS);
      const victim = service.instances[round % service.instances.length];
      if (victim !== undefined) await service.kill(victim);
      await load;
      expect(done.length + interrupted).to.equal(CALLS);
      expect(interrupted).to.be.below(17);
      for (const n of done)
        expect(readFileSync(join(service.workspace, `f${n}.txt`), 'utf8')).to.equal(`c${n}`);
      expect(existsSync(join(service.workspace, 'f-1.txt'))).to.equal(false);
      await service.add();
      expect(succeeded(await client.post(writeCall(9_000_000 + round)))).to.equal(true);
    }
  });

  it('refuses what needs Redis while it is stopped, says so at /readyz, and recovers without a restart', async () => {
    service = await Service.start({ policy: POLICY, instances: 2 });
    const { redis, instances } = service;
    const client = service.client();
    await client.open();
    await isServed(client);
    await isServed(client);
    for (let round = 0; round < ROUNDS; round += 1) {
      await redis.pause();
      await eventually('the instances notice', async () => {
        const answers = await Promise.all(instances.map(({ admin }) => fetch(`${admin}/readyz`)));
        return answers.every(({ status }) => status === 503);
      });
      expect(succeeded(await client.post(writeCall(round))), 'what is counted locally goes on').to.equal(
        true,
      );
      const [listed] = messagesOf(
        await client.post({
          jsonrpc: '2.0',
          id: 2,
          method: 'tools/call',
          params: { name: 'list_directory', arguments: { path: '.' } },
        }),
      );
      expect(JSON.stringify(listed), 'on_store_failure: deny').to.contain('cannot be counted now');
      const fresh = service.client();
      expect((await fresh.open()).status, 'no session begins').to.equal(503);
      await sleep(STOPPED_MS);
      await redis.restart();
      await eventually('it is served again', async () =>
        succeeded(await client.post(writeCall(1000 + round))),
      );
      await eventually('a session can begin', async () => (await service?.client().open())?.status === 200);
    }
  });

  it('refuses what needs Redis at every instance while Redis answers and takes nothing', async () => {
    service = await Service.start({ policy: POLICY, instances: 2 });
    const { instances } = service;
    const redis = new Redis(service.redis.url);
    const clients = instances.map((each) => service?.clientOf(each) ?? expect.fail());
    const [owner, other] = clients;
    await owner?.open();
    if (other !== undefined) other.session = owner?.session;
    const ready = async (status: number) =>
      (await Promise.all(instances.map(({ admin }) => fetch(`${admin}/readyz`)))).every(
        (answer) => answer.status === status,
      );
    try {
      await redis.config('SET', 'maxmemory', '1');
      await eventually('the instances notice', () => ready(503));
      expect(await (await fetch(`${instances[0]?.admin}/readyz`)).text()).to.contain('OOM');
      for (const client of clients) {
        const told = JSON.stringify(await client.call(1, 'execute_command', { command: 'touch begun' }));
        expect(told).to.contain('Nothing was done');
      }
      expect(existsSync(join(service.workspace, 'begun'))).to.equal(false);
      await redis.config('SET', 'maxmemory', '0');
      await eventually('they recover', () => ready(200));
      const told = JSON.stringify(await other?.call(2, 'execute_command', { command: 'touch begun' }));
      expect(told).not.to.contain('isError');
    } finally {
      redis.disconnect();
    }
  });

  it('ends sessions cleanly when Redis restarts empty, and opens no limit', async () => {
    service = await Service.start({ policy: POLICY, instances: 2 });
    const client = service.client();
    await client.open();
    const echo = (n: number) => client.call(n, 'echo', { message: 'x' });
    for (let n = 0; n < 50; n += 1) expect(JSON.stringify(await echo(n))).not.to.contain('isError');
    expect(JSON.stringify(await echo(51))).to.contain('RATE_LIMITED');
    await service.redis.stop();
    await service.redis.restart();
    await eventually('the session has ended', async () => {
      const answer = await client.post({ jsonrpc: '2.0', id: 1, method: 'ping' });
      return answer.status === 404;
    });
    client.session = undefined;
    await eventually('another can begin', async () => (await client.open()).status === 200);
    expect(JSON.stringify(await echo(1))).to.contain('RATE_LIMITED');
  });

  it('refuses at an instance that is cut off what belongs to all, and takes it back', async () => {
    service = await Service.start({ policy: POLICY, instances: 1 });
    port = await BlockablePort.open(service.redis.port);
    const cut = await service.add({ CASTELLAN_REDIS_URL: port.url });
    const client = service.client();
    await client.open();
    const there = service.clientOf(cut);
    there.session = client.session;
    const command = { name: 'execute_command', arguments: { command: 'echo ran' } };
    const run = (at: HttpClient) => at.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: command });
    expect((await run(there)).text).to.contain('ran');
    port.block();
    await eventually('it is not ready', async () => (await fetch(`${cut.admin}/readyz`)).status === 503);
    expect((await there.call(2, 'read_file', { path: 'nothing' }))[0], 'reads go on').to.have.property(
      'result',
    );
    await eventually('commands are refused', async () =>
      (await run(there)).text.includes('Redis does not answer'),
    );
    const stranger = service.clientOf(cut);
    expect((await stranger.open()).status).to.equal(503);
    // Past the proxy: the others go on.
    const [other] = service.instances;
    const elsewhere = service.clientOf(other ?? cut);
    elsewhere.session = client.session;
    await eventually('the others go on', async () => (await run(elsewhere)).text.includes('ran'));
    port.unblock();
    await eventually('it takes part again', async () => (await run(there)).text.includes('ran'));
  });
});
