import { connect } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import { collectedHeap } from '../../support/collected-heap.js';
import { listeningCastellan, TOKEN } from '../../support/http-host.js';
import { isolatedOptions } from '../../support/isolated-options.js';

const LONG = process.env.CASTELLAN_LONG === '1';
const MALFORMED = LONG ? 200_000 : 400;
const WARM_UP = LONG ? 20_000 : 200;
const MAX_GROWTH = 1.05;

const line = fc.oneof(
  fc.constantFrom(
    'POST /mcp HTTP/1.1',
    'GET /mcp HTTP/1.1',
    'DELETE /mcp HTTP/1.1',
    'PUT / HTTP/1.1',
    'POST /mcp HTTP/9',
  ),
  fc.string({ maxLength: 30 }),
);
const header = fc.oneof(
  fc.constantFrom(
    'Host: localhost',
    `Authorization: Bearer ${TOKEN}`,
    'Content-Type: application/json',
    'Content-Length: 5',
    'Content-Length: -1',
    'Content-Length: 99999999999',
    'Transfer-Encoding: chunked',
    'Mcp-Session-Id: x',
    'Last-Event-ID: n_0',
    'Accept: application/json, text/event-stream',
    'MCP-Protocol-Version: 2025-11-25',
    'MCP-Protocol-Version: 2026-07-28',
  ),
  fc.string({ maxLength: 40 }),
);
const body = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.string({ maxLength: 60 }),
  fc.constant('{"jsonrpc":"2.0"}'),
  fc
    .record({ jsonrpc: fc.constant('2.0'), id: fc.anything(), method: fc.string(), params: fc.anything() })
    .map((frame) => {
      try {
        return JSON.stringify(frame);
      } catch {
        // A frame may hold a bigint, which JSON has no word for.
        return '{';
      }
    }),
);

describe('HTTP with malformed requests', function () {
  this.timeout(LONG ? 3_600_000 : 120_000);
  let host: Awaited<ReturnType<typeof listeningCastellan>>;
  let port: number;
  before(async () => {
    host = await listeningCastellan(isolatedOptions());
    port = Number(new URL(host.url).port);
  });
  after(() => host.castellan.close());

  /** Everything that comes back before the connection is over. */
  const exchange = (text: string): Promise<string> =>
    new Promise((resolve) => {
      let answer = '';
      const socket = connect(port, '127.0.0.1', () => socket.end(text));
      socket.setEncoding('latin1');
      socket.on('data', (part: string) => {
        answer += part;
      });
      socket.on('error', () => undefined);
      socket.once('close', () => resolve(answer));
    });

  const send = (requests: number) =>
    fc.assert(
      fc.asyncProperty(line, fc.array(header, { maxLength: 8 }), body, async (first, headers, text) => {
        const answer = await exchange(
          `${[first, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n${text}`,
        );
        const answers = answer.match(/^HTTP\/1\.1 \d{3}/gm) ?? [];
        // What follows a request that says its length is a second one, with an answer of its own.
        const most = headers.includes('Content-Length: 5') ? 2 : 1;
        expect(answers.length, answer).to.be.within(1, most);
        expect(answers).not.to.include('HTTP/1.1 500');
      }),
      { numRuns: requests },
    );

  it('answers each once, lives, and keeps nothing of them', async () => {
    await send(WARM_UP);
    let growth = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 2 && growth >= MAX_GROWTH; round += 1) {
      const held = collectedHeap();
      await send(MALFORMED);
      growth = collectedHeap() / held;
    }
    expect(growth).to.be.below(MAX_GROWTH);
    expect((await host.client().open()).status).to.equal(200);
  });
});
