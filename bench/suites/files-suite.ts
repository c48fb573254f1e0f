import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { rgPath } from '@vscode/ripgrep';
import type { BenchContext, Goal, Sample, Subject, Suite } from '../bench-suite.js';
import {
  BENCH_POLICY,
  BENCH_SETTINGS,
  type FileGround,
  layEmptyFiles,
  layFileGround,
  NEEDLE,
} from '../file-ground.js';
import { takePages } from '../file-pages.js';
import { callTool, type FileTools, plainReads, type ToolCall, type WholeAnswer } from '../file-tools.js';
import { type Contender, interleavedRounds } from '../interleaved-rounds.js';
import { nodeSubject, peerFile, rootedServer } from '../own-subjects.js';
import { childMicroseconds, cpuMicroseconds } from '../process-usage.js';
import { StdioClient } from '../stdio-client.js';

const DEFAULT_ROUNDS = 3;
const SHORT_FOLDERS = 2000;
const WHOLE_FOLDERS = 5000;
/** A server lives long, and what it is asked first the compiler has not seen yet. */
const WALKS_BEFORE = 3;
/** Of twenty files each: a million entries, and a tenth of them. */
const MANY_FOLDERS = 50_000;
const PAGE = 10_000;
const READS = [
  ['1k', 1000],
  ['1m', 40],
  ['16m', 3],
] as const;
const WALKS = ['list', 'paths', 'glob', 'content'] as const;

/** Arguments: the number of rounds, and `whole` for 100,000 files in 5,000 folders and memory over a million. */
export const filesSuite: Suite = {
  name: 'files',
  run: async ({ subjects, args, scratch }: BenchContext) => {
    const rounds = Number(args[0] ?? DEFAULT_ROUNDS);
    const whole = args.includes('whole');
    const folders = whole ? WHOLE_FOLDERS : SHORT_FOLDERS;
    const ground = layFileGround(scratch, folders);
    const fd = ['fd', 'fdfind'].find((name) => spawnSync(name, ['--version']).status === 0);
    const waiting = {
      ...nodeSubject('floor, waiting', [peerFile('floor.mjs'), 'sync'], scratch),
      files: plainReads,
    };
    const contenders: Contender[] = [
      ...[...subjects, ...(whole ? [waiting] : [])].flatMap((subject) => {
        const { files } = subject;
        if (files === undefined) return [];
        return [{ name: subject.name, measure: () => measureServer(subject, files, ground) }];
      }),
      ...(fd === undefined ? [] : fdContenders(fd, ground)),
      { name: 'rg', measure: async () => measureRg(ground) },
    ];
    const results = await interleavedRounds(contenders, rounds);
    const many = subjects.find(({ name }) => name === 'castellan');
    const growth = many && (await measureGrowth(many, scratch, whole ? MANY_FOLDERS : MANY_FOLDERS / 10));
    return {
      title: 'Files',
      conditions: conditions(folders, rounds, fd !== undefined),
      baseline: 'floor',
      metrics: [
        ...READS.map(([name]) => ({ id: `read${name}`, title: `read ${name}, CPU`, unit: 'µs' })),
        ...WALKS.flatMap((name) => [
          { id: name, title: `${name}, CPU`, unit: 'ms' },
          { id: `${name}Wall`, title: `${name}, wall`, unit: 'ms' },
        ]),
        { id: 'growth', title: 'memory, last third of the pages to the middle one', unit: '×' },
      ],
      subjects: [
        ...results,
        ...(growth === undefined ? [] : [{ subject: 'castellan, many pages', samples: [growth] }]),
      ],
      goals: [
        goal('read of 1 KB', 'read1k', 'floor', 1.6),
        goal('read of 1 MB', 'read1m', 'floor', 1.15),
        goal('read of 16 MB', 'read16m', 'floor', 1.1),
        goal('recursive listing', 'list', 'fd', 1.6),
        goal('recursive listing of paths alone', 'paths', 'fd', 1.6),
        goal('glob', 'glob', 'fd', 1.6),
        goal('content search', 'content', 'rg', 1.4),
        { title: 'memory while paging', metric: 'growth', subject: 'castellan, many pages', atMost: 1.25 },
      ],
    };
  },
};

function conditions(folders: number, rounds: number, hasFd: boolean): string {
  return [
    `CPU of the server a read, one call after another. CPU of listing, finding and searching, programs that were run included, when the server has done the same ${WALKS_BEFORE} times before, and wall time for machines that are quiet.`,
    'The floor reads without waiting for the disk, as the bare SDK here does and as the floor of PERFORMANCE.md must have; "floor, waiting" reads synchronously.',
    `Listing and finding in ${folders * 20} files in ${folders} folders, all pages, and searching them.`,
    'fd lists with type, size and time as list_directory does (-l), and paths alone as search_files does; "fd, times" looks at the times, but prints paths only.',
    'The million entries of the memory row are links to a few empty files; the first third of its pages is warm-up, as in the soak.',
    ...(hasFd ? [] : ['fd is not installed here.']),
    `Policy: bench/bench-policy.yaml. Medians of ${rounds} rounds.`,
  ].join(' ');
}

function goal(title: string, metric: string, against: string, atMost: number): Goal {
  return { title, metric, subject: 'castellan', against, atMost };
}

async function withServer<T>(
  subject: Subject,
  root: string,
  work: (client: StdioClient) => Promise<T>,
): Promise<T> {
  const server = rootedServer(subject, root);
  const env = {
    ...server.env,
    CASTELLAN_WORKSPACE: root,
    CASTELLAN_POLICY: BENCH_POLICY,
    CASTELLAN_CONFIG: BENCH_SETTINGS,
  };
  const client = new StdioClient({ ...server, env });
  try {
    await client.initialize();
    return await work(client);
  } finally {
    await client.close();
  }
}

function measureServer(subject: Subject, files: FileTools, ground: FileGround): Promise<Sample> {
  return withServer(subject, ground.root, async (client) => {
    const sample: Record<string, number> = {};
    for (const [file, calls] of READS)
      sample[`read${file}`] = await readCost(client, files.read(`${ground.root}/${file}`), calls);
    const walks = subject.name === 'castellan' ? walkTimes : peerWalks;
    return { ...sample, ...(await walks(client, ground, files)) };
  });
}

async function readCost(client: StdioClient, call: ToolCall, calls: number): Promise<number> {
  for (let warm = 0; warm < Math.max(3, calls); warm += 1) await callTool(client, call);
  await sleep(5);
  const before = cpuMicroseconds(client.pid);
  for (let done = 0; done < calls; done += 1) await callTool(client, call);
  await sleep(5);
  return (cpuMicroseconds(client.pid) - before) / calls;
}

/** What other servers answer at once, and not page by page. */
async function peerWalks(client: StdioClient, ground: FileGround, files: FileTools): Promise<Sample> {
  const timed = async (walk: Walk, expected: number, whole: WholeAnswer | undefined) => {
    if (whole === undefined) return {};
    const before = cpuMicroseconds(client.pid);
    const started = performance.now();
    const answer = await callTool(client, whole.call);
    const wallMs = performance.now() - started;
    await sleep(5);
    const cpuMs = (cpuMicroseconds(client.pid) - before) / 1000;
    return walkSample(walk, checked(whole.count(answer), expected, cpuMs), wallMs);
  };
  return {
    ...(await timed('list', ground.entries, files.list?.(ground.tree))),
    ...(await timed('glob', ground.typescript, files.glob?.(ground.tree, '*.ts'))),
  };
}

async function walkTimes(client: StdioClient, { tree: path, ...ground }: FileGround): Promise<Sample> {
  const timed = async (walk: Walk, expected: number, tool: string, args: object) => {
    for (let done = 0; done < WALKS_BEFORE; done += 1) await takePages(client, tool, { path, ...args });
    const { found, cpuMs, wallMs } = await takePages(client, tool, { path, ...args });
    return walkSample(walk, checked(found, expected, cpuMs), wallMs);
  };
  return {
    ...(await timed('list', ground.entries, 'list_directory', { recursive: true, limit: PAGE })),
    ...(await timed('paths', ground.entries, 'search_files', { pattern: '*', limit: PAGE })),
    ...(await timed('glob', ground.typescript, 'search_files', { pattern: '*.ts', limit: PAGE })),
    ...(await timed('content', ground.needles, 'search_content', { query: `${NEEDLE}$`, limit: 1000 })),
  };
}

type Walk = (typeof WALKS)[number];

function walkSample(walk: Walk, cpuMs: number, wallMs: number): Sample {
  return { [walk]: cpuMs, [`${walk}Wall`]: wallMs };
}

/** How much more memory the server has in the last third of the pages than in the middle; the first is warm-up. */
async function measureGrowth(subject: Subject, scratch: string, folders: number): Promise<Sample> {
  const { root, entries } = layEmptyFiles(scratch, folders);
  return withServer(subject, root, async (client) => {
    const args = { recursive: true, limit: Math.min(PAGE, Math.ceil(entries / 100)) };
    const { found, memory } = await takePages(client, 'list_directory', args);
    const third = Math.ceil(memory.length / 3);
    const growth = Math.max(...memory.slice(-third)) / Math.max(...memory.slice(third, -third));
    return { growth: checked(found, entries, growth) };
  });
}

function checked(found: number, expected: number, figure: number): number {
  if (found !== expected) throw new Error(`found ${found} of ${expected}`);
  return figure;
}

function fdContenders(fd: string, { tree, entries, typescript }: FileGround): readonly Contender[] {
  return [
    {
      name: 'fd',
      measure: async () => ({
        ...timedLines('list', entries, fd, ['-H', '-l', '.', tree]),
        ...timedLines('paths', entries, fd, ['-H', '.', tree]),
        ...timedLines('glob', typescript, fd, ['-H', '-g', '*.ts', tree]),
      }),
    },
    {
      name: 'fd, times',
      // --changed-within makes it look at every entry's times.
      measure: async () => timedLines('list', entries, fd, ['-H', '--changed-within', '100000d', '.', tree]),
    },
  ];
}

function measureRg({ tree, needles }: FileGround): Sample {
  return timedLines('content', needles, rgPath, ['-n', '--hidden', `${NEEDLE}$`, tree]);
}

function timedLines(walk: Walk, expected: number, program: string, args: readonly string[]): Sample {
  const before = childMicroseconds('self');
  const started = performance.now();
  const { stdout, status } = spawnSync(program, args, { maxBuffer: 1e9 });
  const wallMs = performance.now() - started;
  if (status !== 0) throw new Error(`${program} ended with ${status}`);
  const cpuMs = (childMicroseconds('self') - before) / 1000;
  return walkSample(walk, checked(stdout.toString().trimEnd().split('\n').length, expected, cpuMs), wallMs);
}
