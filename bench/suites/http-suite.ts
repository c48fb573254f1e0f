import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { BenchContext, Sample, Subject, Suite } from '../bench-suite.js';
import { BENCH_POLICY } from '../file-ground.js';
import { type HttpTarget, hammer } from '../http-load.js';
import { interleavedRounds } from '../interleaved-rounds.js';
import { cpuMicroseconds } from '../process-usage.js';

const DEFAULT_ROUNDS = 3;
const CONNECTIONS = 32;
const WARM_UP = 2000;
const REQUESTS = 8000;
export const BENCH_TOKEN = 'a-token-for-benchmarks-only';
const LISTENS_WITHIN_MS = 20_000;

export const httpSuite: Suite = {
  name: 'http',
  run: async ({ subjects, args }: BenchContext) => {
    const rounds = Number(args[0] ?? DEFAULT_ROUNDS);
    const contenders = subjects
      .filter(({ http }) => http !== undefined)
      .map((subject) => ({ name: subject.name, measure: () => measure(subject) }));
    return {
      title: 'tools/call echo over HTTP',
      conditions: `${REQUESTS} calls in one session over ${CONNECTIONS} connections, JSON answers, in a fresh process each round after a warm-up. castellan under bench/bench-policy.yaml with its token: authentication, validation, policy, statistics, metrics and audit on; the others check nothing. Medians of ${rounds} rounds.`,
      baseline: 'floor',
      metrics: [
        { id: 'rate', title: 'requests a second', unit: '' },
        { id: 'cpu', title: 'CPU of the server a request', unit: 'µs' },
      ],
      subjects: await interleavedRounds(contenders, rounds),
      goals: [
        { title: 'requests a second', metric: 'rate', subject: 'castellan', against: 'floor', atLeast: 0.4 },
        {
          title: 'requests a second',
          metric: 'rate',
          subject: 'castellan',
          against: 'bare SDK',
          atLeast: 2.5,
        },
        { title: 'CPU a request', metric: 'cpu', subject: 'castellan', against: 'bare SDK', atMost: 0.4 },
      ],
    };
  },
};

async function measure({ http, name }: Subject): Promise<Sample> {
  if (http === undefined) throw new Error(`${name} does not serve HTTP`);
  const server = spawn(http.command, [...http.args], {
    cwd: http.cwd,
    env: { ...process.env, ...http.env, CASTELLAN_POLICY: BENCH_POLICY, CASTELLAN_TOKEN: BENCH_TOKEN },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const target = await openSession(new URL(await addressOf(server)));
    const params = { name: 'echo', arguments: { message: 'hello' } };
    const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params };
    const load = { connections: CONNECTIONS, expected: 'Echo: hello' };
    await hammer([target], call, { ...load, requests: WARM_UP });
    const before = cpuMicroseconds(server.pid ?? 0);
    const began = performance.now();
    await hammer([target], call, { ...load, requests: REQUESTS });
    const seconds = (performance.now() - began) / 1000;
    return { rate: REQUESTS / seconds, cpu: (cpuMicroseconds(server.pid ?? 0) - before) / REQUESTS };
  } finally {
    await endServer(server);
  }
}

/** Also one that has ended by itself: nothing tells of that a second time. */
export async function endServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  await ended;
}

export function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const timer = setTimeout(() => reject(new Error(`it does not listen: ${text}`)), LISTENS_WITHIN_MS);
    server.stdout?.on('data', (part) => {
      text += String(part);
      const found = /http:\/\/\S+\/mcp/.exec(text)?.[0];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    });
    server.once('exit', (code) => reject(new Error(`it ended with ${code}: ${text}`)));
  });
}

export async function openSession(url: URL): Promise<HttpTarget> {
  const headers = { Authorization: `Bearer ${BENCH_TOKEN}` };
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'bench', version: '1' },
      },
    }),
  });
  await answer.text();
  const session = answer.headers.get('mcp-session-id');
  if (session === null) throw new Error(`no session: ${answer.status}`);
  return { url, headers: { ...headers, 'Mcp-Session-Id': session } };
}
