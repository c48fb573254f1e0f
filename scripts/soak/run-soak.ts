import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Service } from '../../tests/support/service.js';
import { liveAsClients, type SoakCount } from './clients.js';
import { type Reading, readAll } from './readings.js';

const POLICY = `extends: [builtin:workspace]
defaults: { rate: { limit: 1000000/min }, limits: { concurrency: 64 } }
`;
const REPORTER = resolve(import.meta.dirname, '../report-heap.cjs');

export interface SoakOptions {
  readonly minutes: number;
  readonly clients: number;
  readonly readings: number;
  readonly onReading?: (reading: Reading) => void;
}

export interface SoakOutcome {
  readonly readings: readonly Reading[];
  readonly count: SoakCount;
}

/** Mixed calls, drops and reconnects over three instances; tells what they held meanwhile. */
export async function runSoak({ minutes, clients, readings, onReading }: SoakOptions): Promise<SoakOutcome> {
  const service = await Service.start({
    policy: POLICY,
    // Sessions that were left have to end in the first third, or their number would still grow.
    sessionIdle: '20s',
    environment: { NODE_OPTIONS: `--require ${REPORTER}` },
  });
  const redis = new Redis(service.redis.url);
  const count: SoakCount = { calls: 0, sessions: 0, drops: 0, faults: [] };
  const taken: Reading[] = [];
  try {
    const began = Date.now();
    const until = began + minutes * 60_000;
    const places = Array.from({ length: clients }, (_, place) => place);
    const load = Promise.all(places.map((place) => liveAsClients(service, place, until, count)));
    const every = (until - began) / readings;
    for (let next = began + every; Date.now() < until; next = Math.max(next + every, Date.now())) {
      await sleep(Math.max(0, next - Date.now()));
      const reading = await readAll(service, redis, (Date.now() - began) / 60_000);
      taken.push(reading);
      onReading?.(reading);
    }
    await load;
  } finally {
    redis.disconnect();
    await service.stop();
  }
  return { readings: taken, count };
}
