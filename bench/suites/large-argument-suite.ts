import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchContext, Sample, Subject, Suite } from '../bench-suite.js';
import { checkEchoes, echoLine, FIRST_ECHO_ID, type ReadyServer, startEchoServer } from '../echo-exchange.js';
import { interleavedRounds } from '../interleaved-rounds.js';
import { cpuMicroseconds } from '../process-usage.js';

const DEFAULT_ROUNDS = 5;
// A full collection more or less decides the figure of a single call.
const CALLS_A_SAMPLE = 3;
const ARGUMENT_BYTES = 16 * 1024 * 1024;
const IDLE_AFTER_MS = 50;

export const largeArgumentSuite: Suite = {
  name: 'large-argument',
  run: async ({ subjects, args }: BenchContext) => {
    const rounds = Number(args[0] ?? DEFAULT_ROUNDS);
    const contenders = subjects
      .filter((subject) => subject.echo !== undefined)
      .map((subject) => ({ name: subject.name, measure: () => measureLargeArgument(subject) }));
    return {
      title: 'One argument of 16 MB, echoed',
      conditions: `CPU of the server's process a call: ${CALLS_A_SAMPLE} calls in a fresh process each round, after one that is not counted. Policy: bench/bench-policy.yaml. Medians of ${rounds} rounds.`,
      baseline: 'floor',
      metrics: [{ id: 'cpu', title: 'CPU', unit: 'ms' }],
      subjects: await interleavedRounds(contenders, rounds),
      goals: [
        { title: '16 MB argument, CPU', metric: 'cpu', subject: 'castellan', against: 'floor', atMost: 1.3 },
      ],
    };
  },
};

async function measureLargeArgument(subject: Subject): Promise<Sample> {
  const server = await startEchoServer(subject);
  try {
    await cpuPerCall(server, 1);
    return { cpu: (await cpuPerCall(server, CALLS_A_SAMPLE)) / 1000 };
  } finally {
    await server.client.close();
  }
}

async function cpuPerCall({ client, echo }: ReadyServer, calls: number): Promise<number> {
  const message = 'x'.repeat(ARGUMENT_BYTES);
  const line = Buffer.from(echoLine(echo, FIRST_ECHO_ID, message));
  const answers: Buffer[] = [];
  await sleep(IDLE_AFTER_MS);
  const before = cpuMicroseconds(client.pid);
  for (let call = 0; call < calls; call += 1) answers.push(await client.exchange(line, 1));
  await sleep(IDLE_AFTER_MS);
  const used = cpuMicroseconds(client.pid) - before;
  for (const answer of answers) checkEchoes(answer, [FIRST_ECHO_ID], echo.expectedText(message));
  return used / calls;
}
