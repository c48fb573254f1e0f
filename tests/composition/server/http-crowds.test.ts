import { writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { Result } from '../../../src/domain/result.js';
import { ToolResult } from '../../../src/domain/tool/tool-result.js';
import { hashOf } from '../../../src/infrastructure/auth/token-file.js';
import type { Backlog } from '../../../src/presentation/mcp/http/backlog.js';
import { collectedHeap } from '../../support/collected-heap.js';
import { eventually } from '../../support/eventually.js';
import { HttpClient } from '../../support/http-client.js';
import { listeningCastellan, TOKEN } from '../../support/http-host.js';
import { isolatedOptions } from '../../support/isolated-options.js';
import { definition } from '../../support/sample-tool.js';
import { openSocket, postHead, SlowSenders } from '../../support/slow-crowd.js';

const OWN = isolatedOptions();
const LONG = process.env.CASTELLAN_LONG === '1';
/** Of each kind, spread over callers, who may have so many requests under way. */
const CROWD = LONG ? 1000 : 16;
const CALLERS = 8;
const CALLS = LONG ? 500 : 20;
const KIB = 1024;
const MIB = 1024 * KIB;
/** The kernel takes about three megabytes for a reader that takes nothing; what is more waits in the server. */
const PARTS = LONG ? 40 : 80;
const PART = 'x'.repeat(200_000);
const AT_ONCE = 4;
/** Ours and the client's end of a connection, which are in one process here. */
const MAX_A_CONNECTION = 32 * KIB;
/** What the first of a crowd makes for all that come. */
const MADE_ONCE = 4 * MIB;
const keys = Array.from({ length: CALLERS }, (_, n) => `the-key-of-caller-number-${n}`);
const POLICY = join(OWN.workspace, 'policy.yaml');
writeFileSync(
  POLICY,
  `version: 1
principals: [{ match: { api_key: "${hashOf(TOKEN)}" }, roles: [default] }, ${keys
    .map((key) => `{ match: { api_key: "${hashOf(key)}" }, roles: [default] }`)
    .join(', ')}]
roles: { default: { tools: [echo, pouring] } }
defaults: { limits: { concurrency: 10000 }, rate: { per: principal, limit: 1000000000/min, burst: 1000000000 } }
tools: { echo: {}, pouring: { timeout: 30m } }
`,
);

let backlog: Backlog;
let [standing, poured, mostBehind] = [0, 0, 0];
let letGo = (): void => undefined;
const gate = new Promise<void>((resolve) => {
  letGo = resolve;
});
const turns = Array.from({ length: AT_ONCE }, () => Promise.resolve());

/** Begins a stream, waits, then sends much more than a connection holds; a few do so at once. */
const pouring = definition({
  name: 'pouring',
  run: async (_args, _needs, context) => {
    context.log('info', 'begun');
    const turn = standing % AT_ONCE;
    standing += 1;
    await gate;
    const mine = turns[turn]?.then(async () => {
      for (let part = 0; part < PARTS; part += 1) {
        context.log('info', PART);
        mostBehind = Math.max(mostBehind, backlog.bytes);
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    turns[turn] = mine ?? Promise.resolve();
    await mine;
    poured += 1;
    return Result.ok(ToolResult.text('done'));
  },
});

describe('HTTP with many who do not keep up', function () {
  this.timeout(LONG ? 900_000 : 120_000);
  let host: Awaited<ReturnType<typeof listeningCastellan>>;
  let port: number;
  let senders: SlowSenders;
  before(async () => {
    const options = { ...OWN, policy: POLICY, tools: [pouring] };
    host = await listeningCastellan(options, { host: '127.0.0.1', port: 0 });
    port = Number(new URL(host.url).port);
    senders = new SlowSenders(port, keys);
    // As the server imports it, lazily: tsx gives those who import it at the start an instance of their own.
    ({ backlog } = await import('../../../src/presentation/mcp/http/backlog.js'));
  });
  after(async () => {
    senders.leave();
    letGo();
    await host.castellan.close();
  });

  /** What the server says of itself to its operators. */
  const connections = async (): Promise<number> => {
    const text = await (await fetch(`${host.adminUrl}/metrics`)).text();
    return Number(/^castellan_http_connections (\d+)$/m.exec(text)?.[1]);
  };
  /** What the process holds, buffers outside the heap included. */
  const held = () => collectedHeap() + process.memoryUsage().external;
  const say = (line: string) => LONG && console.log(`      ${line}`);
  const serve = async (other: HttpClient, isOver: (served: number) => boolean): Promise<number> => {
    expect((await other.open()).status).to.equal(200);
    let served = 0;
    for (; !isOver(served); served += 1) {
      const [answer] = await other.call(served, 'echo', { message: `m${served}` });
      expect(JSON.stringify(answer)).to.contain(`"Echo: m${served}"`);
    }
    return served;
  };
  const stalledReaders = async (clients: readonly HttpClient[]): Promise<readonly Socket[]> => {
    const sockets = await Promise.all(Array.from({ length: CROWD }, () => openSocket(port)));
    for (const [n, socket] of sockets.entries()) {
      const params = { name: 'pouring' };
      const call = JSON.stringify({ jsonrpc: '2.0', id: n, method: 'tools/call', params });
      const session = `Mcp-Session-Id: ${clients[n % CALLERS]?.session}\r\n`;
      socket.pause();
      socket.write(postHead(keys[n % CALLERS] ?? '', call.length, session) + call);
    }
    return sockets;
  };

  it('holds little for stalled readers and slow senders, and the others are served', async () => {
    const clients = keys.map((key) => new HttpClient(host.url, key));
    for (const client of clients) expect((await client.open()).status).to.equal(200);
    await serve(host.client(), (served) => served === CALLS);
    await connections();
    const before = held();

    const readers = await stalledReaders(clients);
    await eventually('all readers have their streams', () => standing === CROWD, 120_000);
    await senders.stand(CROWD);
    await eventually('all of them stand', async () => (await connections()) >= 2 * CROWD, 120_000);
    const standingCost = held() - before;
    say(`${await connections()} connections, ${standingCost} bytes held for them, both ends`);
    expect(standingCost).to.be.below(MADE_ONCE + 2 * CROWD * MAX_A_CONNECTION);
    await serve(host.client(), (served) => served === CALLS);
    await eventually('they still stand', async () => (await connections()) >= 2 * CROWD, 120_000);
    expect(poured, 'calls that ended').to.equal(0);

    letGo();
    const served = await serve(host.client(), () => poured === CROWD);
    const grown = held() - before;
    say(`behind ${mostBehind} bytes at most, ${grown} held more, ${served} calls of others`);
    // Something did wait here: else the bounds below would prove nothing.
    expect(mostBehind).to.be.above(16 * MIB);
    // Together 64 MiB; beyond them nobody may be further behind than 64 KiB and what was just written.
    expect(mostBehind).to.be.below(64 * MIB + CROWD * 64 * KIB + AT_ONCE * 2 * PART.length);
    expect(grown).to.be.below(MADE_ONCE + 2 * CROWD * MAX_A_CONNECTION + 128 * MIB);

    for (const socket of readers) socket.destroy();
    senders.leave();
    say(`${senders.cut} slow senders were cut and came again`);
    await eventually('nothing waits any more', () => backlog.bytes === 0, 30_000);
    await eventually('no connection is left', async () => (await connections()) === 0, 30_000);
    for (const client of clients)
      await eventually('their callers are served again', async () => {
        const [answer] = await client.call(2, 'echo', { message: 'again' });
        return JSON.stringify(answer).includes('again');
      });
  });

  // The limit is 30 s.
  if (LONG)
    it('gives up senders that never end', async () => {
      const others = new SlowSenders(port, keys);
      await others.stand(CROWD);
      await eventually('all are cut', () => others.cut >= CROWD, 120_000);
      others.leave();
      await eventually('no connection is left', async () => (await connections()) === 0, 30_000);
    });
});
