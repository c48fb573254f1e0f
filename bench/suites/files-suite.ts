import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { rgPath } from '@vscode/ripgrep';
import type { BenchContext, Goal, Sample, Subject, Suite } from '../bench-suite.js';
import { BENCH_POLICY, type FileGround, layFileGround, NEEDLE } from '../file-ground.js';
import { type Contender, interleavedRounds } from '../interleaved-rounds.js';
import { cpuMicroseconds, residentBytes } from '../process-usage.js';
import { StdioClient } from '../stdio-client.js';

const DEFAULT_ROUNDS = 5;
const SHORT_FOLDERS = 1000;
const WHOLE_FOLDERS = 5000;
const PAGE = 10_000;
const READS = [
  ['1k', 2000],
  ['1m', 20],
  ['16m', 3],
] as const;
const WRITES = 40;

/** Arguments: the number of rounds, and `whole` for 100,000 files in 5,000 folders. */
export const filesSuite: Suite = {
  name: 'files',
  run: async ({ subjects, args, scratch }: BenchContext) => {
    const rounds = Number(args[0] ?? DEFAULT_ROUNDS);
    const folders = args.includes('whole') ? WHOLE_FOLDERS : SHORT_FOLDERS;
    const ground = layFileGround(scratch, folders);
    const fd = ['fd', 'fdfind'].find((name) => spawnSync(name, ['--version']).status === 0);
    const contenders: Contender[] = [
      ...subjects
        .filter(({ name }) => name === 'castellan' || name === 'floor')
        .map((subject) => ({ name: subject.name, measure: () => measureServer(subject, ground) })),
      ...(fd === undefined ? [] : [{ name: 'fd', measure: async () => measureFd(fd, ground) }]),
      { name: 'rg', measure: async () => measureRg(ground) },
    ];
    return {
      title: 'Files',
      conditions: `CPU of the server a read; wall time of a write, of listing and finding in ${folders * 20} files in ${folders} folders page by page, and of searching them. The floor writes a temporary file, flushes and renames it. fd lists with times as list_directory does${fd === undefined ? ' (not installed here)' : ''}. Policy: bench/bench-policy.yaml. Medians of ${rounds} rounds.`,
      baseline: 'floor',
      metrics: [
        ...READS.map(([name]) => ({ id: `read${name}`, title: `read ${name}, CPU`, unit: 'µs' })),
        { id: 'write', title: 'write 1k', unit: 'ms' },
        { id: 'list', title: 'list all', unit: 'ms' },
        { id: 'glob', title: 'glob', unit: 'ms' },
        { id: 'content', title: 'content', unit: 'ms' },
        { id: 'memory', title: 'memory after listing', unit: 'MB' },
      ],
      subjects: await interleavedRounds(contenders, rounds),
      goals: [
        goal('read of 1 KB', 'read1k', 'floor', 1.6),
        goal('read of 1 MB', 'read1m', 'floor', 1.15),
        goal('read of 16 MB', 'read16m', 'floor', 1.1),
        goal('write of 1 KB', 'write', 'floor', 1.25),
        goal('recursive listing', 'list', 'fd', 1.6),
        goal('glob', 'glob', 'fd', 1.6),
        goal('content search', 'content', 'rg', 1.4),
      ],
    };
  },
};

function goal(title: string, metric: string, against: string, atMost: number): Goal {
  return { title, metric, subject: 'castellan', against, atMost };
}

async function measureServer({ name, server }: Subject, ground: FileGround): Promise<Sample> {
  const env = { CASTELLAN_WORKSPACE: ground.root, CASTELLAN_POLICY: BENCH_POLICY };
  const client = new StdioClient({ ...server, env: { ...server.env, ...env } });
  try {
    await client.initialize();
    const sample: Record<string, number> = {};
    for (const [file, calls] of READS)
      sample[`read${file}`] = await readCost(client, `${ground.root}/${file}`, calls);
    sample.write = await writeTime(client, ground);
    return name === 'castellan' ? { ...sample, ...(await walkTimes(client, ground)) } : sample;
  } finally {
    await client.close();
  }
}

function call(client: StdioClient, name: string, args: object): Promise<unknown> {
  return client.request('tools/call', { name, arguments: args });
}

async function readCost(client: StdioClient, path: string, calls: number): Promise<number> {
  for (let warm = 0; warm < Math.max(3, calls); warm += 1) await call(client, 'read_file', { path });
  await sleep(5);
  const before = cpuMicroseconds(client.pid);
  for (let done = 0; done < calls; done += 1) await call(client, 'read_file', { path });
  await sleep(5);
  return (cpuMicroseconds(client.pid) - before) / calls;
}

async function writeTime(client: StdioClient, { root }: FileGround): Promise<number> {
  const args = { path: `${root}/written`, content: 'x'.repeat(1024) };
  for (let warm = 0; warm < 5; warm += 1) await call(client, 'write_file', args);
  const started = performance.now();
  for (let done = 0; done < WRITES; done += 1) await call(client, 'write_file', args);
  return (performance.now() - started) / WRITES;
}

async function walkTimes(client: StdioClient, ground: FileGround): Promise<Sample> {
  const path = ground.tree;
  const list = await timed(ground.entries, () =>
    pages(client, 'list_directory', { path, recursive: true, limit: PAGE }),
  );
  const memory = residentBytes(client.pid) / 1e6;
  const glob = await timed(ground.typescript, () =>
    pages(client, 'search_files', { path, pattern: '*.ts', limit: PAGE }),
  );
  const query = { path, query: `${NEEDLE}$`, limit: 1000 };
  const content = await timed(ground.needles, () => pages(client, 'search_content', query));
  return { list, glob, content, memory };
}

async function timed(expected: number, work: () => Promise<number> | number): Promise<number> {
  const started = performance.now();
  const found = await work();
  const wall = performance.now() - started;
  if (found !== expected) throw new Error(`found ${found} of ${expected}`);
  return wall;
}

async function pages(client: StdioClient, tool: string, args: object): Promise<number> {
  let found = 0;
  for (let cursor: unknown; ; ) {
    const answer = await call(client, tool, { ...args, ...(cursor !== undefined && { cursor }) });
    const { value, page } = structured(answer);
    found += value.length;
    cursor = page?.next_cursor;
    if (cursor === undefined) return found;
  }
}

interface ListAnswer {
  readonly value: readonly unknown[];
  readonly page?: { readonly next_cursor?: string };
}

function structured(answer: unknown): ListAnswer {
  const { structuredContent } = answer as { readonly structuredContent?: ListAnswer };
  if (!Array.isArray(structuredContent?.value))
    throw new Error(`no list: ${JSON.stringify(answer).slice(0, 300)}`);
  return structuredContent;
}

async function measureFd(fd: string, { tree, entries, typescript }: FileGround): Promise<Sample> {
  // --changed-within makes it look at every entry's times, which list_directory shows.
  const list = await timed(entries, () => lines(fd, ['-H', '--changed-within', '100000d', '.', tree]));
  const glob = await timed(typescript, () => lines(fd, ['-H', '-g', '*.ts', tree]));
  return { list, glob };
}

async function measureRg({ tree, needles }: FileGround): Promise<Sample> {
  return { content: await timed(needles, () => lines(rgPath, ['-n', '--hidden', `${NEEDLE}$`, tree])) };
}

function lines(program: string, args: readonly string[]): number {
  const { stdout, status } = spawnSync(program, args, { maxBuffer: 1e9 });
  if (status !== 0) throw new Error(`${program} ended with ${status}`);
  return stdout.toString().trimEnd().split('\n').length;
}
