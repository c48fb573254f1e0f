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
const SEQUENTIAL_CALLS = 2000;
const PIPELINED_CALLS = 10_000;
const IN_FLIGHT = 100;
const IDLE_AFTER_MS = 5;
const MESSAGE = 'hello';

export const echoSuite: Suite = {
  name: 'echo',
  run: async ({ subjects, args }: BenchContext) => {
    const rounds = Number(args[0] ?? DEFAULT_ROUNDS);
    const servers = await startEchoServers(subjects);
    const contenders = servers.map((server) => ({
      name: server.subject.name,
      measure: () => measureEcho(server),
    }));
    try {
      // Two rounds let the compiler settle; they are not counted.
      await interleavedRounds(contenders, 2);
      return {
        title: 'tools/call echo over stdio',
        conditions: `CPU of the server's process a call: ${SEQUENTIAL_CALLS} calls one after another, then ${PIPELINED_CALLS} with ${IN_FLIGHT} in flight. Default policy and limits. Medians of ${rounds} rounds.`,
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
    } finally {
      await Promise.all(servers.map((server) => server.client.close()));
    }
  },
};

function echoGoal(metric: string, against: string, atMost: number) {
  return { title: `echo, ${metric} CPU a call`, metric, subject: 'castellan', against, atMost };
}

async function measureEcho(server: ReadyServer): Promise<Sample> {
  return {
    sequential: await cpuPerCall(server, SEQUENTIAL_CALLS, 1),
    pipelined: await cpuPerCall(server, PIPELINED_CALLS, IN_FLIGHT),
  };
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
