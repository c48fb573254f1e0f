import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchContext, Sample, Subject, Suite } from '../bench-suite.js';
import { interleavedRounds } from '../interleaved-rounds.js';
import { cpuMicroseconds, residentBytes } from '../process-usage.js';
import { StdioClient } from '../stdio-client.js';

const DEFAULT_ROUNDS = 9;
const IDLE_AFTER_MS = 150;

export const startSuite: Suite = {
  name: 'start',
  run: async ({ subjects, args }: BenchContext) => {
    const rounds = Number(args[0] ?? DEFAULT_ROUNDS);
    // The first start of each fills the page cache and any code cache; it is not counted.
    await interleavedRounds(subjects.map(contender), 1);
    return {
      title: 'Cold start and idle memory',
      conditions: `Spawn to tools/list answered; CPU and memory ${IDLE_AFTER_MS} ms later. Default policy in an empty folder. Medians of ${rounds} rounds.`,
      baseline: 'floor',
      metrics: [
        { id: 'wall', title: 'wall', unit: 'ms' },
        { id: 'cpu', title: 'CPU', unit: 'ms' },
        { id: 'memory', title: 'idle memory', unit: 'MB' },
      ],
      subjects: await interleavedRounds(subjects.map(contender), rounds),
      goals: [
        { title: 'cold start', metric: 'wall', subject: 'castellan', against: 'floor', atMost: 1.4 },
        { title: 'idle memory', metric: 'memory', subject: 'castellan', against: 'floor', atMost: 1.25 },
      ],
    };
  },
};

function contender(subject: Subject) {
  return { name: subject.name, measure: () => measureStart(subject) };
}

async function measureStart(subject: Subject): Promise<Sample> {
  const started = performance.now();
  const client = new StdioClient(subject.server);
  try {
    await client.initialize();
    const listed = await client.request('tools/list', {});
    const wall = performance.now() - started;
    checkTools(listed);
    await sleep(IDLE_AFTER_MS);
    return { wall, cpu: cpuMicroseconds(client.pid) / 1000, memory: residentBytes(client.pid) / 1_000_000 };
  } finally {
    await client.close();
  }
}

function checkTools(listed: unknown): void {
  const tools = typeof listed === 'object' && listed !== null && 'tools' in listed ? listed.tools : undefined;
  if (!Array.isArray(tools) || tools.length === 0) throw new Error('tools/list answered no tools');
}
