import { writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { TokenAccount } from '../../../src/application/model/token-account.js';
import { TokenLedger } from '../../../src/application/ports/model/token-ledger.js';
import { Result } from '../../../src/domain/result.js';
import { ToolResult } from '../../../src/domain/tool/tool-result.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { SequentialIds } from '../../../src/testing/sequential-ids.js';
import { SYSTEM_CLOCK } from '../../contract/shared/both-ways.js';
import { type HttpAnswer, HttpClient } from '../../support/http-client.js';
import { listeningCastellan, TOKEN } from '../../support/http-host.js';
import { isolatedOptions } from '../../support/isolated-options.js';
import { ModernClient, type ModernRequest } from '../../support/modern-client.js';
import { ENVELOPES } from '../../support/other-answers.js';
import { RedisServer } from '../../support/redis-server.js';
import { definition } from '../../support/sample-tool.js';

const LONG = process.env.CASTELLAN_LONG === '1';
const CALLS = LONG ? 10_000 : 450;
const USES = LONG ? 1000 : 60;
const BOOKINGS = LONG ? 10_000 : 90;
/** At each instance at once; a caller may have 256 requests under way. */
const AT_ONCE = 200;
/** The bucket gives none back while the test runs. */
const LIMIT = 300;

const POLICY = `extends: [builtin:workspace]
tools:
  limited: { rate: { limit: 1/h, burst: ${LIMIT}, on_store_failure: deny }, limits: { concurrency: 256 } }
  granted: { consent: { mode: ask }, rate: { limit: 1000000/min }, limits: { concurrency: 256 } }
`;

describe('limits and grants of three instances', function () {
  this.timeout(LONG ? 1_200_000 : 120_000);
  const own = isolatedOptions(ENVELOPES);
  const ran = { limited: 0, granted: 0 };
  let redis: RedisServer;
  let instances: Awaited<ReturnType<typeof listeningCastellan>>[] = [];
  let clients: readonly HttpClient[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

  const counted = (name: keyof typeof ran) =>
    definition({
      name,
      run: () => {
        ran[name] += 1;
        return Result.ok(ToolResult.text('done'));
      },
    });

  before(async () => {
    redis = await RedisServer.start();
    const policy = join(own.workspace, 'limits.yaml');
    writeFileSync(policy, POLICY);
    const environment = { ...own.environment, CASTELLAN_REDIS_URL: redis.url };
    const tools = [counted('limited'), counted('granted')];
    const start = () => listeningCastellan({ ...own, policy, environment, tools });
    instances = await Promise.all([start(), start(), start()]);
    clients = instances.map(({ url }) => new HttpClient(url, TOKEN, agent));
  });
  after(async () => {
    agent.destroy();
    await Promise.all(instances.map(({ castellan }) => castellan.close()));
    await redis.stop();
  });

  /** So many requests, at each instance as many at once as it takes. */
  async function atAll<T>(count: number, one: (client: HttpClient, n: number) => Promise<T>): Promise<T[]> {
    const answers: T[] = [];
    let sent = 0;
    const worker = async (client: HttpClient): Promise<void> => {
      while (sent < count) answers.push(await one(client, sent++));
    };
    await Promise.all(clients.flatMap((client) => Array.from({ length: AT_ONCE }, () => worker(client))));
    return answers;
  }

  it(`lets a tool run ${LIMIT} times of ${CALLS} calls at once, and not once more`, async () => {
    const [first] = clients;
    await first?.open();
    for (const client of clients) client.session = first?.session;
    const params = { name: 'limited', arguments: { text: 'x' } };
    const answers = await atAll(CALLS, (client, id) =>
      client.post({ jsonrpc: '2.0', id, method: 'tools/call', params }),
    );
    const refused = answers.filter(({ text }) => text.includes('RATE_LIMITED'));
    expect(ran.limited).to.equal(LIMIT);
    expect(refused).to.have.length(CALLS - LIMIT);
  });

  it(`runs a call once that a person agreed to, of ${USES} that use the agreement at once`, async () => {
    const send = (client: HttpClient, more: ModernRequest['params']): Promise<HttpAnswer> => {
      client.session = undefined;
      const params = { name: 'granted', arguments: { text: 'x' }, ...more };
      return new ModernClient(client).send('tools/call', { params, capabilities: { elicitation: {} } });
    };
    const question = await send(clients[0] ?? expect.fail(), {});
    const { result } = JSON.parse(question.text);
    expect(result?.resultType, question.text).to.equal('input_required');
    const inputResponses = { 'question-1': { action: 'accept', content: { approve: true } } };
    const answers = await atAll(USES, (client) =>
      send(client, { requestState: result.requestState, inputResponses }),
    );
    const done = answers.filter(({ text }) => text.includes('done'));
    expect([ran.granted, done.length], answers[0]?.text).to.deep.equal([1, 1]);
    expect(answers.filter(({ text }) => text.includes('-32602'))).to.have.length(USES - 1);
  });

  it(`books 500 tokens of 1,000 in ${BOOKINGS} bookings at once with half the account spent, and not one more`, async () => {
    const rule = { per: 'instance', limit: 1000, windowMs: 3_600_000, onStoreFailure: 'deny' } as const;
    const accounts = instances.map(({ castellan }, n) => {
      const ids = new SequentialIds(`b${n}-`);
      return new TokenAccount(castellan.container.get(TokenLedger), SYSTEM_CLOCK, ids, new RecordingLogger());
    });
    const book = (n: number, tokens: number) => accounts[n % 3]?.book([rule], 'a caller', tokens);
    expect((await book(0, 500))?.success).to.equal(true);
    const booked = await Promise.all(Array.from({ length: BOOKINGS }, (_, n) => book(n, 10)));
    expect(booked.filter((each) => each?.success)).to.have.length(50);
  });
});
