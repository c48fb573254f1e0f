import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchContext, Sample, Subject, Suite } from '../bench-suite.js';
import { checkEchoes, echoLine, FIRST_ECHO_ID, type ReadyServer, startEchoServer } from '../echo-exchange.js';
import { interleavedRounds } from '../interleaved-rounds.js';
import { cpuMicroseconds } from '../process-usage.js';

const DEFAULT_ROUNDS = 5;
const SEQUENTIAL_CALLS = 2000;
const PIPELINED_CALLS = 10_000;
const IN_FLIGHT = 100;
const IDLE_AFTER_MS = 5;
const WARM_UP_CALLS = 10_000;
const MESSAGE = 'hello';

export const echoSuite: Suite = {
  name: 'echo',
  run: async ({ subjects, args }: BenchContext) => {
    const rounds = Number(args[0] ?? DEFAULT_ROUNDS);
    const contenders = subjects
      .filter((subject) => subject.echo !== undefined)
      .map((subject) => ({ name: subject.name, measure: () => measureEcho(subject) }));
    return {
      title: 'tools/call echo over stdio',
      conditions: `CPU of the server's process a call, in a fresh process each round after a warm-up: ${SEQUENTIAL_CALLS} calls one after another, then ${PIPELINED_CALLS} with ${IN_FLIGHT} in flight. castellan under bench/bench-policy.yaml: validation, policy, statistics and audit on, rate and concurrency out of the way. Medians of ${rounds} rounds.`,
      baseline: 'floor',
      metrics: [
        { id: 'pipelined', title: 'pipelined CPU', unit: 'µs' },
        { id: 'sequential', title: 'sequential CPU', unit: 'µs' },
      ],
      subjects: await interleavedRounds(contenders, rounds),
      goals: [
        echoGoal('pipelined', 'bare SDK', 1),
        echoGoal('sequential', 'bare SDK', 1),
        echoGoal('pipelined', 'floor', 5),
      ],
    };
  },
};

function echoGoal(metric: string, against: string, atMost: number) {
  return { title: `echo, ${metric} CPU a call`, metric, subject: 'castellan', against, atMost };
}

// What the compiler decides in one process holds for its whole life and moves the figure by a quarter:
// the median must be one over processes, not over rounds in the same process.
async function measureEcho(subject: Subject): Promise<Sample> {
  const server = await startEchoServer(subject);
  try {
    await cpuPerCall(server, WARM_UP_CALLS, IN_FLIGHT);
    return {
      sequential: await cpuPerCall(server, SEQUENTIAL_CALLS, 1),
      pipelined: await cpuPerCall(server, PIPELINED_CALLS, IN_FLIGHT),
    };
  } finally {
    await server.client.close();
  }
}

async function cpuPerCall({ client, echo }: ReadyServer, calls: number, inFlight: number): Promise<number> {
  const ids = Array.from({ length: inFlight }, (_, index) => FIRST_ECHO_ID + index);
  const bytes = Buffer.from(ids.map((id) => echoLine(echo, id, MESSAGE)).join(''));
  const answers: Buffer[] = [];
  await sleep(IDLE_AFTER_MS);
  const before = cpuMicroseconds(client.pid);
  for (let sent = 0; sent < calls; sent += inFlight) answers.push(await client.exchange(bytes, inFlight));
  await sleep(IDLE_AFTER_MS);
  const used = cpuMicroseconds(client.pid) - before;
  for (const answer of answers) checkEchoes(answer, ids, echo.expectedText(MESSAGE));
  return used / calls;
}
