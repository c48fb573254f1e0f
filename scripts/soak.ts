import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { HttpClient } from '../tests/support/http-client.js';
import { Service } from '../tests/support/service.js';

/** `npm run soak -- --minutes N`: mixed calls, drops and reconnects over three instances; prints what they hold. */
const given = process.argv.indexOf('--minutes');
const minutes = given === -1 ? 30 : Number(process.argv[given + 1]);
if (!(minutes > 0)) throw new Error('--minutes must be a number above 0.');
const CLIENTS = 12;
const SAMPLES = 30;
const POLICY = `extends: [builtin:workspace]
defaults: { rate: { limit: 1000000/min } }
`;

async function live(service: Service, until: number, faults: string[]): Promise<void> {
  while (Date.now() < until) {
    const client = service.client();
    const opened = await client.open();
    if (opened.status !== 200) faults.push(`initialize: ${opened.status}`);
    let heard = '';
    const stream = await client.listen((part) => (heard += part));
    for (let n = 0; n < 40 && Date.now() < until; n += 1) {
      await once(client, n, faults);
      if (n === 20) stream.end();
    }
    stream.end();
    // Some leave without a word: their sessions end by themselves.
    if (Math.random() < 0.9) await client.send('DELETE', undefined);
  }
}

async function once(client: HttpClient, n: number, faults: string[]): Promise<void> {
  const path = `soak-${n % 7}.txt`;
  const calls = [
    ['echo', { message: 'x'.repeat(200) }],
    ['write_file', { path, content: `${n}` }],
    ['read_file', { path: 'soak-1.txt' }],
    ['list_directory', { path: '.' }],
    ...(n % 20 === 0 ? [['execute_command', { command: 'echo soak' }] as const] : []),
  ] as const;
  const [name, args] = calls[n % calls.length] ?? calls[0];
  if (n % 13 === 12) {
    await client.begin({ jsonrpc: '2.0', id: n, method: 'tools/call', params: { name, arguments: args } })();
    return;
  }
  const text = JSON.stringify(await client.call(n, name, args));
  if (text.includes('"error"') || /RATE_LIMITED|Internal/.test(text)) faults.push(text.slice(0, 200));
}

function held(pid: number): { readonly rss: number; readonly descriptors: number } {
  const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  return { rss: Math.round(rss / 1024), descriptors: readdirSync(`/proc/${pid}/fd`).length };
}

const service = await Service.start({ policy: POLICY });
const redis = new Redis(service.redis.url);
const began = Date.now();
const until = began + minutes * 60_000;
const faults: string[] = [];
const load = Promise.all(Array.from({ length: CLIENTS }, () => live(service, until, faults)));
console.log('| minute | MiB of each instance | descriptors of each | keys in Redis | MiB in Redis |');
console.log('| --- | --- | --- | --- | --- |');
while (Date.now() < until) {
  const each = service.instances.map(({ process }) => held(process.pid ?? 0));
  const memory = Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1] ?? 0);
  const cells = [
    ((Date.now() - began) / 60_000).toFixed(1),
    each.map(({ rss }) => rss).join(' '),
    each.map(({ descriptors }) => descriptors).join(' '),
    await redis.dbsize(),
    (memory / 2 ** 20).toFixed(1),
  ];
  console.log(`| ${cells.join(' | ')} |`);
  await sleep(Math.min((minutes * 60_000) / SAMPLES, Math.max(1, until - Date.now())));
}
await load;
redis.disconnect();
await service.stop();
console.log(`faults: ${faults.length}`);
for (const fault of faults.slice(0, 5)) console.log(fault);
process.exit(faults.length === 0 ? 0 : 1);
