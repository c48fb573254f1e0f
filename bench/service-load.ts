import { Agent, request } from 'node:http';
import { Service } from '../tests/support/service.js';

const SECONDS = Number(process.argv[2] ?? 5);
const CONNECTIONS = 16;
const POLICY =
  'extends: [builtin:workspace]\ntools: { echo: { rate: { limit: 100000000/min }, limits: { concurrency: 256 } } }\n';

interface Load {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

/** One session's calls, spread over the instances as a proxy would. */
async function measure(
  urls: readonly string[],
  session: string,
  token: string,
  connections: number,
): Promise<Load> {
  const times: number[] = [];
  let sent = 0;
  const until = performance.now() + SECONDS * 1000;
  const one = async (): Promise<void> => {
    while (performance.now() < until) {
      sent += 1;
      const began = performance.now();
      await call(urls[sent % urls.length] ?? '', session, token, sent);
      times.push(performance.now() - began);
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: connections }, one));
  const perSecond = times.length / ((performance.now() - began) / 1000);
  times.sort((a, b) => a - b);
  return { perSecond, p50: times[times.length >> 1] ?? 0, p99: times[Math.floor(times.length * 0.99)] ?? 0 };
}

function call(url: string, session: string, token: string, id: number): Promise<void> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'echo', arguments: { message: 'hello' } },
  });
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'mcp-session-id': session,
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, agent }, (answer) => {
      let text = '';
      answer.on('data', (part) => (text += String(part)));
      answer.on('end', () => (text.includes('hello') ? resolve() : reject(new Error(text))));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function subject(name: string, instances: number, shared: boolean): Promise<void> {
  const service = await Service.start({ policy: POLICY, instances: 0 });
  try {
    for (let n = 0; n < instances; n += 1) await service.add(shared ? {} : { CASTELLAN_REDIS_URL: '' });
    const client = service.client();
    await client.open();
    const urls = service.instances.map(({ url }) => url);
    const { session = '', token = '' } = client;
    await measure(urls, session, token, CONNECTIONS);
    const alone = await measure(urls, session, token, 1);
    const { perSecond, p99 } = await measure(urls, session, token, CONNECTIONS);
    console.log(`| ${name} | ${Math.round(perSecond)} | ${alone.p50.toFixed(2)} | ${p99.toFixed(1)} |`);
  } finally {
    await service.stop();
  }
}

console.log(
  '| subject | calls/s, 16 at once | p50 ms, one at a time | p99 ms, 16 at once |\n| --- | --- | --- | --- |',
);
await subject('one instance, no Redis', 1, false);
await subject('one instance with Redis', 1, true);
await subject('three instances with Redis', 3, true);
await subject('one instance, no Redis (again)', 1, false);
agent.destroy();
