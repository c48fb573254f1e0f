import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { Result } from '../../../src/domain/result.js';
import { ToolResult } from '../../../src/domain/tool/tool-result.js';
import { hashOf } from '../../../src/infrastructure/auth/token-file.js';
import { backlog } from '../../../src/presentation/mcp/http/backlog.js';
import { collectedHeap } from '../../support/collected-heap.js';
import { eventually } from '../../support/eventually.js';
import { HttpClient } from '../../support/http-client.js';
import { listeningCastellan, TOKEN } from '../../support/http-host.js';
import { isolatedOptions } from '../../support/isolated-options.js';
import { definition } from '../../support/sample-tool.js';

const OWN = isolatedOptions();
const LONG = process.env.CASTELLAN_LONG === '1';
/** Of each kind, spread over callers, who may have so many requests under way. */
const CROWD = LONG ? 1000 : 16;
const CALLERS = 8;
const MIB = 1024 * 1024;
/** Twelve megabytes a reader, where there are few: the kernel takes several of them itself. */
const PARTS = LONG ? 6 : 64;
const PART = 'x'.repeat(200_000);
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
tools: { echo: {}, pouring: {} }
`,
);

let poured = 0;
let mostBehind = 0;
/** Sends much more than any connection holds. */
const pouring = definition({
  name: 'pouring',
  run: async (_args, _needs, context) => {
    for (let part = 0; part < PARTS; part += 1) {
      context.log('info', PART);
      mostBehind = Math.max(mostBehind, backlog.bytes);
      await new Promise((resolve) => setImmediate(resolve));
    }
    poured += 1;
    return Result.ok(ToolResult.text('done'));
  },
});

describe('HTTP with many who do not keep up', function () {
  this.timeout(LONG ? 600_000 : 120_000);
  let host: Awaited<ReturnType<typeof listeningCastellan>>;
  let port: number;
  before(async () => {
    host = await listeningCastellan({ ...OWN, policy: POLICY, tools: [pouring] });
    port = Number(new URL(host.url).port);
  });
  after(() => host.castellan.close());

  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
    return socket;
  };
  const head = (key: string, length: number, more = '') =>
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n${more}Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${length}\r\n\r\n`;
  /** What the process holds, buffers outside the heap included. */
  const held = () => collectedHeap() + process.memoryUsage().external;

  it('holds little for stalled readers and slow senders, and the others are served', async () => {
    const clients = keys.map((key) => new HttpClient(host.url, key));
    for (const client of clients) expect((await client.open()).status).to.equal(200);
    const other = host.client();
    await other.open();
    const before = held();
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'pouring' } });
    const senders = await Promise.all(Array.from({ length: CROWD }, open));
    for (const [n, socket] of senders.entries()) socket.write(`${head(keys[n % CALLERS] ?? '', 1000)}{`);
    const readers = await Promise.all(Array.from({ length: CROWD }, open));
    for (const [n, socket] of readers.entries()) {
      socket.pause();
      const session = `Mcp-Session-Id: ${clients[n % CALLERS]?.session}\r\n`;
      socket.write(head(keys[n % CALLERS] ?? '', call.length, session) + call);
    }
    for (let served = 0; poured < CROWD; served += 1) {
      const [answer] = await other.call(served, 'echo', { message: `m${served}` });
      expect(JSON.stringify(answer)).to.contain(`m${served}`);
    }
    // Together 64 MiB; beyond them nobody may be further behind than 64 KiB and what was just written.
    expect(mostBehind).to.be.at.most(64 * MIB + CROWD * (64 * 1024 + 2 * PART.length));
    expect(held() - before).to.be.below(256 * MIB);
    for (const socket of [...senders, ...readers]) socket.destroy();
    await eventually('nothing waits any more', () => backlog.bytes === 0, 30_000);
    for (const client of clients)
      await eventually('their callers are served again', async () => {
        const [answer] = await client.call(2, 'echo', { message: 'again' });
        return JSON.stringify(answer).includes('again');
      });
  });

  // The limit is 30 s.
  if (LONG)
    it('gives up senders that never end', async () => {
      const sockets = await Promise.all(Array.from({ length: CROWD }, open));
      let ended = 0;
      for (const [n, socket] of sockets.entries()) {
        socket.resume();
        socket.once('close', () => {
          ended += 1;
        });
        socket.write(`${head(keys[n % CALLERS] ?? '', 1000)}{`);
      }
      await eventually('all are cut', () => ended === CROWD, 120_000);
    });
});
