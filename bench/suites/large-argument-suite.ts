import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchContext, Sample, Suite } from '../bench-suite.js';
import {
  checkEchoes,
  echoLine,
  FIRST_ECHO_ID,
  type ReadyServer,
  startEchoServers,
} from '../echo-exchange.js';
import { interleavedRounds } from '../interleaved-rounds.js';
import { cpuMicroseconds } from '../process-usage.js';

const DEFAULT_ROUNDS = 9;
const ARGUMENT_BYTES = 16 * 1024 * 1024;
const IDLE_AFTER_MS = 50;

export const largeArgumentSuite: Suite = {
  name: 'large-argument',
  run: async ({ subjects, args }: BenchContext) => {
    const rounds = Number(args[0] ?? DEFAULT_ROUNDS);
    const servers = await startEchoServers(subjects);
    const contenders = servers.map((server) => ({
      name: server.subject.name,
      measure: () => measureLargeArgument(server),
    }));
    try {
      const warmUp = await interleavedRounds(contenders, 1);
      const dead = new Map(warmUp.map((each) => [each.subject, each.failure]));
      const alive = contenders.filter(({ name }) => dead.get(name) === undefined);
      const measured = await interleavedRounds(alive, rounds);
      return {
        title: 'One argument of 16 MB, echoed',
        conditions: `CPU of the server's process a call. Default policy and limits. Medians of ${rounds} rounds.`,
        baseline: 'floor',
        metrics: [{ id: 'cpu', title: 'CPU', unit: 'ms' }],
        subjects: warmUp.map((each) =>
          each.failure === undefined
            ? (measured.find(({ subject }) => subject === each.subject) ?? each)
            : { ...each, samples: [] },
        ),
        goals: [
          {
            title: '16 MB argument, CPU',
            metric: 'cpu',
            subject: 'castellan',
            against: 'floor',
            atMost: 1.3,
          },
        ],
      };
    } finally {
      await Promise.all(servers.map((server) => server.client.close()));
    }
  },
};

async function measureLargeArgument({ client, echo }: ReadyServer): Promise<Sample> {
  const message = 'x'.repeat(ARGUMENT_BYTES);
  const line = Buffer.from(echoLine(echo, FIRST_ECHO_ID, message));
  await sleep(IDLE_AFTER_MS);
  const before = cpuMicroseconds(client.pid);
  const answer = await client.exchange(line, 1);
  await sleep(IDLE_AFTER_MS);
  const used = cpuMicroseconds(client.pid) - before;
  checkEchoes(answer, [FIRST_ECHO_ID], echo.expectedText(message));
  return { cpu: used / 1000 };
}
