import { Service } from '../../tests/support/service.js';
import { median } from '../bench-report.js';
import type { BenchContext, Sample, SubjectResult, Suite } from '../bench-suite.js';
import { type HttpTarget, hammer } from '../http-load.js';
import { cpuMicroseconds } from '../process-usage.js';

const DEFAULT_ROUNDS = 5;
const CONNECTIONS = 16;
/** Each instance compiles its own code, and is not done with it before some thousand calls. */
const WARM_UP_EACH = 9000;
/** Who is measured changes so often in a round: a slow second of the machine meets everybody. */
const TURNS = 8;
const REQUESTS = 1500;
const ALONE = 90;
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

interface Topology {
  readonly name: string;
  readonly instances: number;
  readonly isShared: boolean;
}

const TOPOLOGIES: readonly Topology[] = [
  { name: ONE, instances: 1, isShared: false },
  { name: SHARED, instances: 1, isShared: true },
  { name: THREE, instances: 3, isShared: true },
  { name: AGAIN, instances: 1, isShared: false },
];

/** Needs redis-server, and starts six servers at once: only run when it is named. */
export const serviceSuite: Suite = {
  name: 'service',
  onRequest: true,
  run: async ({ args }: BenchContext) => {
    const rounds = Number(args[0] ?? DEFAULT_ROUNDS);
    const samples = new Map<string, Sample[]>(TOPOLOGIES.map(({ name }) => [name, []]));
    for (let round = 0; round < rounds; round += 1)
      for (const [name, sample] of await measureRound(round)) samples.get(name)?.push(sample);
    return {
      title: 'tools/call echo of one session, over several instances',
      conditions: `${TURNS} turns of ${REQUESTS} calls over ${CONNECTIONS} connections, spread over the instances without a proxy, and ${ALONE} calls one after another; all topologies stand side by side and take turns, in fresh processes each round, after ${WARM_UP_EACH} calls to each instance. The one client and Redis share the two cores with the servers: one instance can use one core, three share what the client and Redis leave of both. "${AGAIN}" is the same as "${ONE}": how far they are apart is how far the figures can be trusted. The rate is that of the median turn. Medians of ${rounds} rounds.`,
      baseline: ONE,
      metrics: [
        { id: 'rate', title: 'requests a second', unit: '' },
        { id: 'p50', title: 'p50 of one after another', unit: 'ms' },
        { id: 'cpu', title: 'CPU of all servers a request', unit: 'µs' },
        { id: 'redis', title: 'CPU of Redis a request', unit: 'µs' },
        { id: 'client', title: 'CPU of the client a request', unit: 'µs' },
      ],
      subjects: TOPOLOGIES.map(
        ({ name }): SubjectResult => ({ subject: name, samples: samples.get(name) ?? [] }),
      ),
      goals: [
        { title: 'control', metric: 'rate', subject: AGAIN, against: ONE, atLeast: 0.9, atMost: 1.1 },
        { title: 'what Redis adds', metric: 'p50', subject: SHARED, moreThan: ONE, atMost: 1.5 },
        { title: 'requests a second', metric: 'rate', subject: SHARED, against: ONE, atLeast: 0.7 },
        { title: 'requests a second', metric: 'rate', subject: THREE, against: SHARED, atLeast: 1 },
        { title: 'requests a second', metric: 'rate', subject: THREE, against: ONE, atLeast: 1 },
      ],
    };
  },
};

async function measureRound(round: number): Promise<ReadonlyMap<string, Sample>> {
  const stands: Stand[] = [];
  try {
    for (const topology of TOPOLOGIES) stands.push(await Stand.start(topology));
    for (const stand of stands) await stand.warmUp();
    for (let turn = 0; turn < TURNS; turn += 1) {
      const first = (round + turn) % stands.length;
      for (const stand of [...stands.slice(first), ...stands.slice(0, first)]) await stand.measure();
    }
    return new Map(stands.map((stand) => [stand.name, stand.sample()]));
  } finally {
    for (const stand of stands) await stand.stop();
  }
}

interface Spent {
  readonly seconds: number;
  readonly servers: number;
  readonly redis: number;
  readonly client: number;
}

/** One topology that is up, and what was measured of it. */
class Stand {
  readonly #spent: Spent[] = [];
  readonly #alone: number[] = [];

  private constructor(
    readonly name: string,
    private readonly service: Service,
    private readonly targets: readonly HttpTarget[],
  ) {}

  static async start({ name, instances, isShared }: Topology): Promise<Stand> {
    const service = await Service.start({ policy: POLICY, instances: 0 });
    for (let n = 0; n < instances; n += 1) await service.add(isShared ? {} : { CASTELLAN_REDIS_URL: '' });
    const client = service.client();
    await client.open();
    const headers = { Authorization: `Bearer ${client.token}`, 'Mcp-Session-Id': client.session ?? '' };
    const targets = service.instances.map(({ url }): HttpTarget => ({ url: new URL(url), headers }));
    return new Stand(name, service, targets);
  }

  async warmUp(): Promise<void> {
    await this.#load(WARM_UP_EACH * this.targets.length);
    await this.#callsAlone();
  }

  async measure(): Promise<void> {
    const before = this.#usage();
    await this.#load(REQUESTS);
    const after = this.#usage();
    this.#spent.push({
      seconds: after.seconds - before.seconds,
      servers: after.servers - before.servers,
      redis: after.redis - before.redis,
      client: after.client - before.client,
    });
    this.#alone.push(...(await this.#callsAlone()));
  }

  sample(): Sample {
    const calls = REQUESTS * this.#spent.length;
    const all = (part: keyof Spent) => this.#spent.reduce((sum, spent) => sum + spent[part], 0);
    return {
      rate: REQUESTS / (median(this.#spent.map(({ seconds }) => seconds)) ?? Number.NaN),
      p50: median(this.#alone) ?? Number.NaN,
      cpu: all('servers') / calls,
      redis: all('redis') / calls,
      client: all('client') / calls,
    };
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  #load(requests: number): Promise<readonly number[]> {
    return hammer(this.targets, ECHO, { connections: CONNECTIONS, requests, expected: EXPECTED });
  }

  /** One call at a time, at each instance in turn. */
  async #callsAlone(): Promise<readonly number[]> {
    const times: number[] = [];
    const requests = ALONE / this.targets.length;
    for (const target of this.targets)
      times.push(...(await hammer([target], ECHO, { connections: 1, requests, expected: EXPECTED })));
    return times;
  }

  #usage(): Spent {
    const { instances, redis } = this.service;
    const pids = instances.flatMap(({ process: { pid } }) => pid ?? []);
    const { user, system } = process.cpuUsage();
    return {
      seconds: performance.now() / 1000,
      servers: pids.reduce((all, pid) => all + cpuMicroseconds(pid), 0),
      redis: redis.pid === undefined ? 0 : cpuMicroseconds(redis.pid),
      client: user + system,
    };
  }
}
