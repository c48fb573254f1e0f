import { performance } from 'node:perf_hooks';
import { median } from '../bench-report.js';
import type { BenchContext, Sample, Subject, SubjectResult, Suite } from '../bench-suite.js';
import { BENCH_POLICY } from '../file-ground.js';
import { callTool, type FileTools } from '../file-tools.js';
import { type Contender, interleavedRounds } from '../interleaved-rounds.js';
import { rootedServer } from '../own-subjects.js';
import { StdioClient } from '../stdio-client.js';

const DEFAULT_ROUNDS = 15;
/** Name, bytes, writes before the first round, writes a round. */
const SIZES = [
  ['1k', 1024, 4000, 40],
  ['1m', 1024 ** 2, 40, 5],
] as const;

interface Writer {
  readonly subject: Subject;
  readonly write: NonNullable<FileTools['write']>;
  readonly client: StdioClient;
}

/**
 * The servers live through all rounds and take turns every few writes: what a disk takes changes by the second,
 * and a server lives long. Argument: the number of rounds.
 */
export const writesSuite: Suite = {
  name: 'writes',
  run: async ({ subjects, args, scratch }: BenchContext) => {
    const rounds = Number(args[0] ?? DEFAULT_ROUNDS);
    const writers = subjects.flatMap((subject) => openWriter(subject, scratch));
    try {
      for (const { client } of writers) await client.initialize();
      const results: SubjectResult[] = [];
      // One size after the other: a disk that has just taken megabytes is slow to take the next kilobyte.
      for (const size of SIZES) results.push(...(await duel(writers, size, scratch, rounds)));
      return {
        title: 'Writes',
        conditions: `Wall time of a write of one file, again and again, one call after another (the median of a round), when the server has made ${SIZES[0][2]} before. The floor writes a temporary file, flushes it, renames it and flushes the folder. Policy: bench/bench-policy.yaml. Medians of ${rounds} rounds.`,
        baseline: 'floor',
        metrics: SIZES.map(([name]) => ({ id: `write${name}`, title: `write ${name}`, unit: 'ms' })),
        subjects: joined(results),
        goals: SIZES.map(([name]) => ({
          title: `write of ${name}`,
          metric: `write${name}`,
          subject: 'castellan',
          against: 'floor',
          atMost: 1.25,
        })),
      };
    } finally {
      for (const { client } of writers) await client.close();
    }
  },
};

function openWriter(subject: Subject, root: string): readonly Writer[] {
  const write = subject.files?.write;
  if (write === undefined) return [];
  const server = rootedServer(subject, root);
  const env = { ...server.env, CASTELLAN_WORKSPACE: root, CASTELLAN_POLICY: BENCH_POLICY };
  return [{ subject, write, client: new StdioClient({ ...server, env }) }];
}

async function duel(
  writers: readonly Writer[],
  [name, bytes, before, writes]: (typeof SIZES)[number],
  scratch: string,
  rounds: number,
): Promise<readonly SubjectResult[]> {
  const contenders: Contender[] = [];
  for (const [index, { subject, write, client }] of writers.entries()) {
    const call = write(`${scratch}/written-${index}`, 'x'.repeat(bytes));
    const timed = async (count: number): Promise<Sample> => {
      const times: number[] = [];
      for (let done = 0; done < count; done += 1) {
        const started = performance.now();
        await callTool(client, call);
        times.push(performance.now() - started);
      }
      return { [`write${name}`]: median(times) ?? Number.NaN };
    };
    await timed(before);
    contenders.push({ name: subject.name, measure: () => timed(writes) });
  }
  return interleavedRounds(contenders, rounds);
}

/** Each subject once, with the samples of every size. */
function joined(results: readonly SubjectResult[]): readonly SubjectResult[] {
  const names = [...new Set(results.map(({ subject }) => subject))];
  return names.map((subject) => {
    const own = results.filter((result) => result.subject === subject);
    const failure = own.find((result) => result.failure !== undefined)?.failure;
    return {
      subject,
      samples: own.flatMap(({ samples }) => samples),
      ...(failure !== undefined && { failure }),
    };
  });
}
