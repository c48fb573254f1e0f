import { writeFileSync } from 'node:fs';
import { Agent, IncomingMessage, OutgoingMessage } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { queryObjects } from 'node:v8';
import { expect } from 'chai';
import { after, before, beforeEach, describe, it } from 'mocha';
import { SessionStore } from '../../../src/application/ports/session/session-store.js';
import { collectedHeap } from '../../support/collected-heap.js';
import { eventually } from '../../support/eventually.js';
import { HttpClient } from '../../support/http-client.js';
import { listeningCastellan, TOKEN } from '../../support/http-host.js';
import { isolatedOptions } from '../../support/isolated-options.js';
import { ModernClient } from '../../support/modern-client.js';

const OWN = isolatedOptions();
const LONG = process.env.CASTELLAN_LONG === '1';
const REQUESTS = LONG ? 100_000 : 500;
const MODERN_REQUESTS = LONG ? 20_000 : 120;
const SESSIONS = LONG ? 1000 : 30;
/** Code that becomes hot is compiled, and what the engine makes of it stays. */
const WARM_UP = LONG ? 30_000 : 400;
/** The SDK's transport loses 5 KB a request; ours may lose nothing, give or take what engines keep. */
const MAX_LOST_A_REQUEST = 1000;
const MAX_GROWTH = 1.05;
const POLICY = join(OWN.workspace, 'policy.yaml');
writeFileSync(
  POLICY,
  'version: 1\ndefaults: { limits: { concurrency: 10000 }, rate: { per: principal, limit: 1000000000/min, burst: 1000000000 } }\ntools: { echo: {} }\n',
);

const echo = (id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'echo', arguments: { message: 'x' } },
});

describe('HTTP for long', function () {
  this.timeout(LONG ? 3_600_000 : 300_000);
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  let host: Awaited<ReturnType<typeof listeningCastellan>>;
  before(async () => {
    host = await listeningCastellan({ ...OWN, policy: POLICY });
  });
  after(() => host.castellan.close());
  const client = () => new HttpClient(host.url, TOKEN, agent);

  const run = async (clients: readonly HttpClient[], requests: number): Promise<void> => {
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < requests) {
        next += 1;
        const answer = await clients[next % clients.length]?.post(echo(next));
        if (answer?.status !== 200) throw new Error(`${answer?.status} ${answer?.text}`);
      }
    };
    await Promise.all(Array.from({ length: 16 }, worker));
  };

  /** What the heap has grown by, in bytes and as a factor; the best of some tries, since engines keep what is hot. */
  const growthBy = async (send: (requests: number) => Promise<void>, requests: number) => {
    let growth = { lost: Number.POSITIVE_INFINITY, factor: Number.POSITIVE_INFINITY };
    for (let round = 0; round < 6 && !isFlat(growth); round += 1) {
      const held = collectedHeap();
      await send(requests);
      const now = collectedHeap();
      growth = { lost: (now - held) / requests, factor: now / held };
      if (LONG) console.log(`      ${requests} requests: ${held} bytes before, ${now} after`);
    }
    return growth;
  };
  const isFlat = ({ lost, factor }: { lost: number; factor: number }) =>
    lost < MAX_LOST_A_REQUEST && factor < MAX_GROWTH;

  const listeners = () =>
    process.eventNames().reduce((count, name) => count + process.listenerCount(name), 0);
  let listenersBefore = 0;
  beforeEach(() => {
    listenersBefore = listeners();
  });

  const KINDS = { IncomingMessage, OutgoingMessage, Socket, AbortSignal };
  /** How many of each are alive in the heap: whatever still listens to one of them keeps it there. */
  const alive = (): Readonly<Record<string, number>> =>
    Object.fromEntries(
      Object.entries(KINDS).map(([name, kind]) => [name, queryObjects(kind, { format: 'count' })]),
    );

  /** Of thousands of requests, the last few may still be held by what is reused. */
  const MOST_ALIVE = 40;
  const nothingIsOpen = async () => {
    agent.destroy();
    const sockets = () => process.getActiveResourcesInfo().filter((one) => one === 'TCPSocketWrap').length;
    await eventually('no socket is left', () => sockets() === 0);
    expect(listeners(), 'listeners of the process').to.equal(listenersBefore);
  };

  it('keeps nothing of the requests of one session', async () => {
    const one = client();
    await one.open();
    await run([one], WARM_UP);
    const growth = await growthBy((requests) => run([one], requests), REQUESTS);
    expect(isFlat(growth), JSON.stringify(growth)).to.equal(true);
    await nothingIsOpen();
  });

  it('keeps nothing of requests without sessions', async () => {
    const modern = new ModernClient(client());
    const send = async (requests: number): Promise<void> => {
      for (let sent = 0; sent < requests; sent += 8)
        await Promise.all(Array.from({ length: 8 }, () => modern.call('echo', { message: 'x' })));
    };
    await send(MODERN_REQUESTS);
    const growth = await growthBy(send, MODERN_REQUESTS);
    expect(isFlat(growth), JSON.stringify(growth)).to.equal(true);
    await nothingIsOpen();
  });

  it('keeps nothing of the requests of many sessions, nor of sessions that ended', async () => {
    const sessions = host.castellan.container.get(SessionStore);
    const openAll = async () => {
      const clients = Array.from({ length: SESSIONS }, client);
      for (const each of clients) expect((await each.open()).status).to.equal(200);
      return clients;
    };
    const endAll = async (clients: readonly HttpClient[]) => {
      for (const each of clients) expect((await each.send('DELETE', undefined)).status).to.equal(200);
      await eventually('they have ended', () =>
        clients.every(({ session }) => sessions.get(session ?? '') === undefined),
      );
      expect((await clients[0]?.post(echo(1)))?.status).to.equal(404);
    };
    // What is made once, by the first crowd, stays for the next.
    await endAll(await openAll());
    const alone = collectedHeap();
    const clients = await openAll();
    await run(clients, SESSIONS * 5);
    const growth = await growthBy((requests) => run(clients, requests), REQUESTS);
    expect(isFlat(growth), JSON.stringify(growth)).to.equal(true);
    await endAll(clients);
    await nothingIsOpen();
    expect(collectedHeap(), 'what sessions held is given back').to.be.below(alone * MAX_GROWTH);
  });

  it('leaves nothing of all these requests in the heap', () => {
    const left = alive();
    for (const [kind, count] of Object.entries(left)) expect(count, `${kind} left`).to.be.below(MOST_ALIVE);
    if (LONG) console.log(`      left in the heap: ${JSON.stringify(left)}`);
  });
});
