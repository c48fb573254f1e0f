import { expect } from 'chai';
import { Redis } from 'ioredis';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { ResourceNotices } from '../../../src/application/ports/resource/resource-notices.js';
import { RateLimits } from '../../../src/application/ports/tool/rate-limits.js';
import type { Castellan } from '../../../src/composition/server/castellan.js';
import { eventually } from '../../support/eventually.js';
import { eventsOf, HttpClient, messagesOf } from '../../support/http-client.js';
import { listeningCastellan, TOKEN } from '../../support/http-host.js';
import { isolatedOptions } from '../../support/isolated-options.js';
import { ModernClient, type ModernRequest } from '../../support/modern-client.js';
import { ENVELOPES } from '../../support/other-answers.js';
import { RedisServer } from '../../support/redis-server.js';
import { RoundRobin } from '../../support/round-robin.js';

describe('several instances behind a proxy', () => {
  const own = isolatedOptions(ENVELOPES);
  let redis: RedisServer;
  let instances: Awaited<ReturnType<typeof listeningCastellan>>[] = [];
  let proxy: RoundRobin;
  let client: HttpClient;

  const start = (service: string) =>
    listeningCastellan({
      ...own,
      flags: { enabledBy: { progressing: 'beta' } },
      environment: {
        ...own.environment,
        CASTELLAN_REDIS_URL: redis.url,
        CASTELLAN_REDIS_SERVICE: service,
      },
    });
  let services = 0;

  before(async () => {
    redis = await RedisServer.start();
  });
  beforeEach(async () => {
    services += 1;
    const service = `s${services}`;
    instances = await Promise.all([start(service), start(service), start(service)]);
    proxy = await RoundRobin.open(instances.map(({ url }) => url));
    client = new HttpClient(proxy.url, TOKEN);
  });
  afterEach(async () => {
    await proxy.close();
    await Promise.all(instances.map(({ castellan }) => castellan.close()));
  });
  after(() => redis.stop());

  const castellan = (index: number): Castellan => instances[index]?.castellan ?? expect.fail();

  it('serves one session wherever its requests arrive', async () => {
    const opened = await client.open();
    expect(opened.status).to.equal(200);
    for (let n = 1; n <= 9; n += 1) {
      const [answer] = await client.call(n, 'echo', { message: `m${n}` });
      expect(JSON.stringify(answer)).to.contain(`m${n}`);
    }
    expect(new Set(proxy.chosen.slice(-9)).size).to.equal(3);
    const other = new HttpClient(proxy.url, 'another-token-that-is-wrong');
    other.session = client.session;
    expect((await other.post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).to.equal(401);
  });

  it('takes the answer of a person to the instance that asked, wherever it arrives', async () => {
    await client.open(undefined, { elicitation: {} });
    for (let round = 0; round < 3; round += 1) {
      let text = '';
      const call = { jsonrpc: '2.0', id: `q${round}`, method: 'tools/call', params: { name: 'asking' } };
      const stream = await client.listen((part) => (text += part), {}, call);
      await eventually('the question', () => text.includes('elicitation/create'));
      const question = eventsOf(text).find(({ message }) => message?.method === 'elicitation/create');
      const answer = { jsonrpc: '2.0', id: question?.message?.id, result: { action: 'decline' } };
      expect((await client.post(answer)).status).to.equal(202);
      await eventually('the answer of the call', () => text.includes('decline'));
      await stream.over;
    }
  });

  it('cancels a call at whichever instance it runs', async () => {
    await client.open();
    proxy.aim(0);
    const hangUp = client.begin({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'waiting' } });
    await eventually('the call runs', () => instances[0]?.gate.entered === 1);
    proxy.aim(1);
    await client.post({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 7, reason: 'enough' },
    });
    await eventually('it is stopped', () => instances[0]?.gate.aborted === true);
    await hangUp();
  });

  it('resumes a stream at another instance, while it is written and after', async () => {
    await client.open();
    proxy.aim(0);
    let text = '';
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'cutting' } };
    const cut = await client.listen((part) => (text += part), {}, call);
    await cut.over;
    const last = eventsOf(text).at(-1)?.id ?? expect.fail('no event');
    let rest = '';
    const resumed = await client.listen((part) => (rest += part), { 'last-event-id': last });
    expect(resumed.status).to.equal(200);
    await resumed.over;
    expect(eventsOf(rest).at(-1)?.message).to.deep.include({ id: 1 });
    expect(rest).to.contain('after');
    let again = '';
    const repeated = await client.listen((part) => (again += part), { 'last-event-id': last });
    await repeated.over;
    expect(again).to.contain('after');
  });

  it('tells a client of changes wherever it listens, once, and goes on at another instance', async () => {
    await client.open();
    let heard = '';
    proxy.aim(2);
    const standing = await client.listen((part) => (heard += part));
    await eventually('it is open', () => heard.includes('id: '));
    const names = async () => {
      const answer = await client.post({ jsonrpc: '2.0', id: 3, method: 'tools/list' });
      return /"progressing"/.test(answer.text);
    };
    expect(await names()).to.equal(false);
    proxy.aim(0);
    const set = await client.call(5, 'set_feature_flag', {
      flag: 'beta',
      value: true,
    });
    expect(JSON.stringify(set)).to.contain('"success":true');
    for (let n = 0; n < 3; n += 1) await eventually(`instance ${n} has the tool`, names);
    await eventually('the client is told', () => heard.includes('tools/list_changed'));
    castellan(1).container.get(ResourceNotices).publish({ kind: 'list-changed' });
    await eventually('and of resources', () => heard.includes('resources/list_changed'));
    expect(heard.split('resources/list_changed')).to.have.length(2);
    standing.end();
    await standing.over;
    castellan(2).container.get(ResourceNotices).publish({ kind: 'list-changed' });
    const last = eventsOf(heard).at(-1)?.id ?? expect.fail('no event');
    let rest = '';
    proxy.aim(1);
    const resumed = await client.listen((part) => (rest += part), { 'last-event-id': last });
    await eventually('what was missed, or to look again', () => rest.includes('resources/list_changed'));
    resumed.end();
    await resumed.over;
  });

  it('keeps what a client chose: log level and subscriptions', async () => {
    await client.open();
    proxy.aim(0);
    await client.post({ jsonrpc: '2.0', id: 1, method: 'logging/setLevel', params: { level: 'error' } });
    for (let n = 0; n < 3; n += 1) {
      const messages = await client.call(10 + n, 'cutting');
      expect(messages.filter(({ method }) => method === 'notifications/message')).to.deep.equal([]);
    }
  });

  it('ends a session everywhere with one DELETE', async () => {
    await client.open();
    for (let n = 0; n < 3; n += 1) await client.call(n, 'echo', { message: 'x' });
    expect((await client.send('DELETE', undefined)).status).to.equal(200);
    for (let n = 0; n < 3; n += 1) {
      await eventually('it is gone', async () => {
        const answer = await client.post({ jsonrpc: '2.0', id: n, method: 'ping' });
        return answer.status === 404;
      });
    }
    client.session = undefined;
    expect(messagesOf(await client.open())[0]).to.have.property('result');
  });

  it('leaves nothing of a session in Redis that ended while it was read at another instance', async () => {
    await client.open();
    proxy.aim(1);
    let heard = '';
    const standing = await client.listen((part) => (heard += part));
    await eventually('it is open', () => heard.includes('id: '));
    proxy.aim(0);
    await client.call(1, 'cutting');
    proxy.aim(2);
    expect((await client.send('DELETE', undefined)).status).to.equal(200);
    await standing.over;
    const store = new Redis(redis.url);
    const kept = () => store.keys(`castellan:{s${services}}:*`);
    const isOfSession = (key: string) => key.includes(':session:') || key.includes(':events');
    try {
      await eventually('every key of it is gone', async () => !(await kept()).some(isOfSession));
      // What another instance would write when it hears of the end comes a moment later.
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect((await kept()).filter(isOfSession)).to.deep.equal([]);
    } finally {
      store.disconnect();
    }
  });

  it('never passes a limit by one, over three instances', async () => {
    const [limit, calls] = process.env.CASTELLAN_LONG === '1' ? [500, 10_000] : [100, 300];
    const rate = { limit, perMs: 3_600_000, burst: limit };
    const limits = instances.map((each) => each.castellan.container.get(RateLimits));
    const taken = await Promise.all(
      Array.from({ length: calls }, async (_, n) => limits[n % 3]?.take('all together', rate)),
    );
    expect(taken.filter((each) => each && 'waitMs' in each && each.waitMs === 0)).to.have.length(limit);
  });

  it('takes an answer of the revision without sessions at another instance, once', async () => {
    const capabilities = { elicitation: {} };
    const modern = new ModernClient(client);
    const ask = (more: ModernRequest) => modern.call('asking', {}, { capabilities, ...more });
    proxy.aim(0);
    const { result } = await ask({});
    expect(result?.resultType).to.equal('input_required');
    const params = {
      requestState: result?.requestState,
      inputResponses: { 'question-1': { action: 'decline' } },
    };
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask({ params })));
    const done = answers.filter((answer) => JSON.stringify(answer).includes('decline'));
    expect(done).to.have.length(1);
    expect(answers.filter(({ error }) => error?.code === -32602)).to.have.length(5);
  });
});
