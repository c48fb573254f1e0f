import { Agent } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import { collectedHeap } from '../../support/collected-heap.js';
import { type HttpAnswer, HttpClient } from '../../support/http-client.js';
import { listeningCastellan, TOKEN } from '../../support/http-host.js';
import { isolatedOptions } from '../../support/isolated-options.js';
import { type Frame, malformedFrames } from '../../support/malformed-frames.js';
import { allMessages, modernHeaders, modernMeta } from '../../support/modern-client.js';

const LONG = process.env.CASTELLAN_LONG === '1';
const MALFORMED = LONG ? 200_000 : 200;
const WARM_UP = LONG ? 20_000 : 100;
/** Bodies in requests that are right; so many are made at once. */
const FRAMES = LONG ? 100_000 : 240;
const MADE_AT_ONCE = LONG ? 2000 : 80;
const SEED = 20_260_728;
const CONNECTIONS = 8;
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

  /** How the heap grows over so many, in the best of two tries. */
  const growthOver = async (count: number, sendAll: (count: number) => Promise<unknown>): Promise<number> => {
    let growth = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 2 && growth >= MAX_GROWTH; round += 1) {
      const held = collectedHeap();
      await sendAll(count);
      const now = collectedHeap();
      growth = now / held;
      if (LONG) console.log(`      ${count} sent: ${held} bytes before, ${now} after`);
    }
    return growth;
  };

  it('answers each once, lives, and keeps nothing of them', async () => {
    await send(WARM_UP);
    expect(await growthOver(MALFORMED, send)).to.be.below(MAX_GROWTH);
    expect((await host.client().open()).status).to.equal(200);
  });

  /** One message for each that is owed, by its id; what is wrong as a whole is one error of nobody. */
  const judge = (frame: Frame, answer: HttpAnswer): string => {
    const { status, text } = answer;
    const messages = text === '' ? [] : allMessages(answer).flat();
    const paid = messages.filter(({ method }) => method === undefined).map(({ id }) => JSON.stringify(id));
    if (status === 200 && same(paid, frame.owed)) return 'answered';
    if (status === 202 && frame.owed.length === 0 && paid.length === 0) return 'taken';
    if (status >= 400 && status < 500 && paid.length === 1 && messages[0]?.error) return 'refused';
    throw new Error(`${frame.line} was answered with ${status} ${text}; owed: ${frame.owed}`);
  };

  const CONVERSATIONS = [
    { version: '2025-11-25', batches: false, dressed: plain },
    { version: '2025-03-26', batches: true, dressed: plain },
    { version: '2026-07-28', batches: false, dressed: modern },
  ] as const;
  for (const { version, batches, dressed } of CONVERSATIONS) {
    it(`answers malformed frames of ${version} once each, and keeps nothing of them`, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
      const client = new HttpClient(host.url, TOKEN, agent);
      await client.open(dressed === plain ? version : undefined);
      const verdicts = new Map<string, number>();
      let seed = SEED;
      const sendFrames = async (count: number): Promise<void> => {
        for (let sent = 0; sent < count; sent += MADE_AT_ONCE) {
          const frames = [...malformedFrames(MADE_AT_ONCE, seed++, batches)];
          const worker = async (): Promise<void> => {
            for (let frame = frames.pop(); frame !== undefined; frame = frames.pop()) {
              const { line, headers } = dressed(frame);
              const verdict = judge(frame, await client.send('POST', line, headers));
              verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
            }
          };
          await Promise.all(Array.from({ length: CONNECTIONS }, worker));
        }
      };
      await sendFrames(MADE_AT_ONCE);
      expect(await growthOver(FRAMES / CONVERSATIONS.length, sendFrames)).to.be.below(MAX_GROWTH);
      if (LONG) console.log(`      ${JSON.stringify([...verdicts])}`);
      expect(verdicts.get('refused')).to.be.above(0);
      expect((await client.post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).to.equal(200);
      agent.destroy();
    });
  }
});

interface Dressed {
  readonly line: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

function plain({ line }: Frame): Dressed {
  return { line, headers: {} };
}

/** With what every request of 2026-07-28 says of itself, where there is a place for it. */
function modern({ line }: Frame): Dressed {
  const version = { 'mcp-protocol-version': '2026-07-28' };
  const value = parsed(line);
  if (typeof value?.method !== 'string' || !/^[!-~]+$/.test(value.method)) return { line, headers: version };
  const params = Object(value.params ?? {});
  const name =
    typeof params.name === 'string' && /^[!-~]{1,200}$/.test(params.name) ? params.name : undefined;
  const headers = modernHeaders(value.method, { name });
  if (Array.isArray(params) || params !== value.params) return { line, headers };
  const meta = `"_meta":${JSON.stringify(modernMeta())}`;
  // As text: some are nested deeper than can be written again.
  const put = String(line).replace(/"params":\{(}?)/, (_all, end) => `"params":{${meta}${end || ','}`);
  return { line: put, headers };
}

function parsed(line: string | Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(String(line));
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function same(some: readonly string[], others: readonly string[]): boolean {
  return JSON.stringify([...some].sort()) === JSON.stringify([...others].sort());
}
