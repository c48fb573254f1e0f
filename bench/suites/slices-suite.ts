import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { OVER, TEXTS, UNDER } from '../../tests/support/oversized-messages.js';
import type { BenchContext, Sample, Subject, Suite } from '../bench-suite.js';
import type { HttpTarget } from '../http-load.js';
import { interleavedRounds } from '../interleaved-rounds.js';
import { addressOf, BENCH_TOKEN, openSession } from './http-suite.js';

const DEFAULT_ROUNDS = 3;
const AT_ONCE = 6;
const PROBE = fileURLToPath(new URL('../turn-probe.mjs', import.meta.url));
const MESSAGES = [...Object.values(OVER), ...Object.values(UNDER), ...Object.values(TEXTS)];

/** How long one turn of the event loop takes at most while somebody sends the largest messages there may be. */
export const slicesSuite: Suite = {
  name: 'slices',
  run: async ({ subjects, args, scratch }: BenchContext) => {
    const rounds = Number(args[0] ?? DEFAULT_ROUNDS);
    const contenders = subjects
      .filter(({ name }) => name === 'castellan')
      .map((subject) => ({ name: subject.name, measure: () => measure(subject, scratch) }));
    return {
      title: 'Slices of work',
      conditions: `${MESSAGES.length} kinds of oversized, nested and hard to read calls, ${AT_ONCE} of each at once over HTTP, after each has been sent once. A turn counts with its time or its processor time, whichever is less: on a busy machine a turn is kept waiting by others. Medians of ${rounds} rounds.`,
      baseline: 'castellan',
      metrics: [
        { id: 'longest', title: 'the longest turn of the event loop', unit: 'ms' },
        { id: 'beyond', title: 'turns of more than 50 ms', unit: '' },
      ],
      subjects: await interleavedRounds(contenders, rounds),
      goals: [{ title: 'the longest turn', metric: 'longest', subject: 'castellan', atMost: 50 }],
    };
  },
};

async function measure({ http, name }: Subject, scratch: string): Promise<Sample> {
  if (http === undefined) throw new Error(`${name} does not serve HTTP`);
  const file = join(scratch, 'turns.json');
  const server = spawn(http.command, ['--import', PROBE, ...http.args], {
    cwd: http.cwd,
    env: {
      ...process.env,
      CASTELLAN_TOKEN: BENCH_TOKEN,
      CASTELLAN_POLICY: 'builtin:workspace',
      TURN_PROBE: file,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const target = await openSession(new URL(await addressOf(server)));
    for (const message of MESSAGES) await post(target, message);
    const begun = (await turnsIn(file)).length;
    for (const message of MESSAGES)
      await Promise.all(Array.from({ length: AT_ONCE }, () => post(target, message)));
    const turns = (await turnsIn(file)).slice(begun);
    return { longest: Math.max(0, ...turns), beyond: turns.filter((ms) => ms > 50).length };
  } finally {
    await end(server);
    rmSync(file, { force: true });
  }
}

/** A refused message may be cut off before it is sent. */
async function post({ url, headers }: HttpTarget, body: string): Promise<void> {
  const accept = 'application/json, text/event-stream';
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, accept, 'content-type': 'application/json' },
    body,
  }).catch(() => undefined);
  await answer?.text();
}

/** Written ten times a second. */
async function turnsIn(file: string): Promise<readonly number[]> {
  await sleep(300);
  if (!existsSync(file)) return [];
  const turns: readonly { readonly ms: number }[] = JSON.parse(readFileSync(file, 'utf8'));
  return turns.map(({ ms }) => ms);
}

async function end(server: ChildProcess): Promise<void> {
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  await ended;
}
