import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { residentBytes } from '../../bench/process-usage.js';
import { eventually } from '../../tests/support/eventually.js';
import type { Service } from '../../tests/support/service.js';

const MIB = 2 ** 20;
const COLLECTED_WITHIN_MS = 60_000;

/** What the service holds at one moment; lists have a figure for each instance. */
export interface Reading {
  readonly minute: number;
  /** In MiB, in use after garbage was collected. */
  readonly heap: readonly number[];
  /** In MiB, resident. */
  readonly resident: readonly number[];
  readonly descriptors: readonly number[];
  readonly keys: number;
  /** In MiB, of Redis. */
  readonly redis: number;
}

export async function readAll(service: Service, redis: Redis, minute: number): Promise<Reading> {
  const pids = service.instances.flatMap(({ process }) => process.pid ?? []);
  const resident = pids.map((pid) => rounded(residentBytes(pid) / MIB));
  const heap: number[] = [];
  for (const pid of pids) heap.push(rounded((await collectedBytes(service.folder, pid)) / MIB));
  const memory = Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1] ?? 0);
  return {
    minute: rounded(minute),
    heap,
    resident,
    descriptors: pids.map((pid) => readdirSync(`/proc/${pid}/fd`).length),
    keys: await redis.dbsize(),
    redis: rounded(memory / MIB),
  };
}

/** scripts/report-heap.cjs answers the signal with a file. */
async function collectedBytes(folder: string, pid: number): Promise<number> {
  const file = join(folder, `heap-${pid}`);
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  await eventually('garbage is collected', () => existsSync(file), COLLECTED_WITHIN_MS);
  return Number(readFileSync(file, 'utf8'));
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
