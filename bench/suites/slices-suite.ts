import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { OVER, TEXTS, UNDER } from '../../tests/support/oversized-messages.js';
import type { BenchContext, Sample, Subject, Suite } from '../bench-suite.js';
import type { HttpTarget } from '../http-load.js';
import { addressOf, BENCH_TOKEN, endServer, openSession } from './http-suite.js';

const DEFAULT_ROUNDS = 3;
const AT_ONCE = 6;
const ALL = 'all kinds';
const PROBE = fileURLToPath(new URL('../turn-probe.mjs', import.meta.url));
const GROUPS = { 'beyond a bound': OVER, 'within the bounds': UNDER, 'hard to read': TEXTS };
const MESSAGES = Object.entries(GROUPS).flatMap(([group, messages]) =>
  Object.entries(messages).map(([kind, message]) => ({ kind: `${group}: ${kind}`, message })),
);

/** How long one turn of the event loop takes at most while somebody sends the largest messages there may be. */
export const slicesSuite: Suite = {
  name: 'slices',
  run: async ({ subjects, args, scratch }: BenchContext) => {
    const rounds = Number(args[0] ?? DEFAULT_ROUNDS);
    const subject = subjects.find(({ name }) => name === 'castellan');
    const measured: ReadonlyMap<string, Sample>[] = [];
    for (let round = 0; subject !== undefined && round < rounds; round += 1)
      measured.push(await measure(subject, scratch));
    return {
      title: 'Slices of work',
      conditions: `${MESSAGES.length} kinds of calls, ${AT_ONCE} of each at once over HTTP, after each has been sent once. Figures are the processor time of the thread that serves, turn by turn of its event loop: on a busy machine the time alone says how long others kept it waiting. Medians of ${rounds} rounds.`,
      baseline: ALL,
      metrics: [
        { id: 'longest', title: 'processor time of the longest turn', unit: 'ms' },
        { id: 'beyond', title: 'turns of more than 50 ms', unit: '' },
      ],
      subjects: [ALL, ...MESSAGES.map(({ kind }) => kind)].map((kind) => ({
        subject: kind,
        samples: measured.map((round) => round.get(kind) ?? {}),
      })),
      goals: [{ title: 'the longest turn', metric: 'longest', subject: ALL, atMost: 50 }],
    };
  },
};

async function measure({ http, name }: Subject, scratch: string): Promise<ReadonlyMap<string, Sample>> {
  if (http === undefined) throw new Error(`${name} does not serve HTTP`);
  const file = join(scratch, 'turns.json');
  const policy = join(scratch, 'slices-policy.yaml');
  writeFileSync(policy, 'version: 1\nextends: [builtin:workspace]\n');
  const server = spawn(http.command, ['--import', PROBE, ...http.args], {
    cwd: http.cwd,
    env: {
      ...process.env,
      CASTELLAN_TOKEN: BENCH_TOKEN,
      CASTELLAN_POLICY: policy,
      TURN_PROBE: file,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const target = await openSession(new URL(await addressOf(server)));
    for (const { message } of MESSAGES) await post(target, message);
    const begun = (await turnsIn(file)).length;
    const samples = new Map<string, Sample>();
    for (const { kind, message } of MESSAGES) {
      const before = (await turnsIn(file)).length;
      await Promise.all(Array.from({ length: AT_ONCE }, () => post(target, message)));
      samples.set(kind, sampleOf((await turnsIn(file)).slice(before)));
    }
    return samples.set(ALL, sampleOf((await turnsIn(file)).slice(begun)));
  } finally {
    await endServer(server);
    rmSync(file, { force: true });
  }
}

function sampleOf(turns: readonly number[]): Sample {
  return { longest: Math.max(0, ...turns), beyond: turns.filter((ms) => ms > 50).length };
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
