import { Service } from '../../tests/support/service.js';
import { median } from '../bench-report.js';
import type { BenchContext, Sample, Suite } from '../bench-suite.js';
import { type HttpTarget, hammer } from '../http-load.js';
import { interleavedRounds } from '../interleaved-rounds.js';
import { cpuMicroseconds } from '../process-usage.js';

const DEFAULT_ROUNDS = 5;
const CONNECTIONS = 16;
/** Each instance compiles its own code. */
const WARM_UP_EACH = 4000;
const ALONE = 900;
const REQUESTS = 9000;
const POLICY =
  'extends: [builtin:workspace]\ntools: { echo: { rate: { limit: 100000000/min }, limits: { concurrency: 256 } } }\n';
const ECHO = {
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name: 'echo', arguments: { message: 'hello' } },
};
const EXPECTED = 'Echo: hello';

const ONE = 'one instance';
const AGAIN = 'one instance, again';
const SHARED = 'one instance on Redis';
const THREE = 'three instances on Redis';

/** Needs redis-server, and starts up to three servers at once: only run when it is named. */
export const serviceSuite: Suite = {
  name: 'service',
  onRequest: true,
  run: async ({ args }: BenchContext) => {
    const rounds = Number(args[0] ?? DEFAULT_ROUNDS);
    const contenders = [
      { name: ONE, measure: () => measure(1, false) },
      { name: SHARED, measure: () => measure(1, true) },
      { name: THREE, measure: () => measure(3, true) },
      { name: AGAIN, measure: () => measure(1, false) },
    ];
    return {
      title: 'tools/call echo of one session, over several instances',
      conditions: `${REQUESTS} calls over ${CONNECTIONS} connections, spread over the instances, then ${ALONE} one after another, in fresh processes each round after a warm-up. The client and Redis share the cores with the servers. "${AGAIN}" is the same as "${ONE}": how far they are apart is how far the figures can be trusted. Medians of ${rounds} rounds.`,
      baseline: ONE,
      metrics: [
        { id: 'rate', title: 'requests a second', unit: '' },
        { id: 'p50', title: 'p50 of one after another', unit: 'ms' },
        { id: 'cpu', title: 'CPU of all servers a request', unit: 'µs' },
        { id: 'redis', title: 'CPU of Redis a request', unit: 'µs' },
      ],
      subjects: await interleavedRounds(contenders, rounds),
      goals: [
        { title: 'control', metric: 'rate', subject: AGAIN, against: ONE, atLeast: 0.9, atMost: 1.1 },
        { title: 'what Redis adds', metric: 'p50', subject: SHARED, moreThan: ONE, atMost: 1.5 },
        { title: 'requests a second', metric: 'rate', subject: SHARED, against: ONE, atLeast: 0.7 },
        { title: 'requests a second', metric: 'rate', subject: THREE, against: ONE, atLeast: 1 },
      ],
    };
  },
};

async function measure(instances: number, shared: boolean): Promise<Sample> {
  const service = await Service.start({ policy: POLICY, instances: 0 });
  try {
    for (let n = 0; n < instances; n += 1) await service.add(shared ? {} : { CASTELLAN_REDIS_URL: '' });
    const client = service.client();
    await client.open();
    const headers = { Authorization: `Bearer ${client.token}`, 'Mcp-Session-Id': client.session ?? '' };
    const targets = service.instances.map(({ url }): HttpTarget => ({ url: new URL(url), headers }));
    const load = { connections: CONNECTIONS, expected: EXPECTED };
    await hammer(targets, ECHO, { ...load, requests: WARM_UP_EACH * instances });
    const used = usageOf(service);
    const began = performance.now();
    await hammer(targets, ECHO, { ...load, requests: REQUESTS });
    const seconds = (performance.now() - began) / 1000;
    const { servers, redis } = usageOf(service);
    return {
      rate: REQUESTS / seconds,
      p50: await median50(targets),
      cpu: (servers - used.servers) / REQUESTS,
      redis: (redis - used.redis) / REQUESTS,
    };
  } finally {
    await service.stop();
  }
}

/** One call at a time, at each instance in turn. */
async function median50(targets: readonly HttpTarget[]): Promise<number> {
  const times: number[] = [];
  const requests = ALONE / targets.length;
  for (const target of targets)
    times.push(...(await hammer([target], ECHO, { connections: 1, requests, expected: EXPECTED })));
  return median(times) ?? Number.NaN;
}

function usageOf({ instances, redis }: Service): { readonly servers: number; readonly redis: number } {
  const pids = instances.flatMap(({ process }) => process.pid ?? []);
  return {
    servers: pids.reduce((all, pid) => all + cpuMicroseconds(pid), 0),
    redis: redis.pid === undefined ? 0 : cpuMicroseconds(redis.pid),
  };
}
