import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { type CallToDecide, DecideCall } from '../../src/application/permission/decide-call.js';
import { knownTools, testBench } from '../../src/composition/configuration/policy-request.js';
import type { PermissionPolicy } from '../../src/domain/permission/policy/permission-policy.js';
import { LOCAL_STDIO } from '../../src/domain/session/caller.js';
import { loadPolicy } from '../../src/infrastructure/policy/load-policy.js';
import { readPolicyFile } from '../../src/infrastructure/policy/yaml-policy-source.js';
import { loadShellParser } from '../../src/infrastructure/shell/shell-parser.js';
import type { BenchContext, Sample, Suite } from '../bench-suite.js';
import { interleavedRounds } from '../interleaved-rounds.js';
import { cpuMicroseconds } from '../process-usage.js';
import { type ServerCommand, StdioClient } from '../stdio-client.js';
import { thousandRules } from '../thousand-rules.js';

const DEFAULT_ROUNDS = 5;
const DECISIONS = 20_000;
const WORKSPACE = '/workspace';
const SHIPPED = fileURLToPath(new URL('../../config/permissions.yaml', import.meta.url));

const PATHS = ['src/index.ts', './output/report.md', '../outside', 'a/b/c/d/e/f.txt', '.env', '/etc/passwd'];
const COMMANDS = [
  'ls -la',
  'ls | grep x',
  'find . -name "*.ts" -type f',
  'cat README.md | grep -n policy > ./output/found.txt',
  'ls; rm x',
  'env FOO=1 ls',
];

/** Decisions are timed in this process on the shipped policy, loading in fresh processes of the built server. */
export const policySuite: Suite = {
  name: 'policy',
  run: async ({ subjects, args, scratch }: BenchContext) => {
    const rounds = Number(args[0] ?? DEFAULT_ROUNDS);
    const castellan = subjects.find(({ name }) => name === 'castellan');
    if (castellan === undefined) throw new Error('there is no server to load a policy into');
    const file = join(scratch, 'thousand-rules.yaml');
    writeFileSync(file, thousandRules());
    const decide = await decider();
    const measure = async (): Promise<Sample> => ({
      path: decide(PATHS.map((path) => ['write_file', { path }])),
      command: decide(COMMANDS.map((command) => ['execute_command', { command }])),
      ...(await loads(castellan.server, file)),
    });
    await measure();
    return {
      title: 'Permission policy',
      conditions: `CPU of a decision with its canonical form, ${DECISIONS} a round on the shipped policy; what a policy adds to a cold start of the built server until it answers, in wall time and in CPU: the shipped one with its tests, and one of 1,000 rules. Medians of ${rounds} rounds.`,
      baseline: 'castellan',
      metrics: [
        { id: 'path', title: 'path decision', unit: 'µs' },
        { id: 'command', title: 'command line', unit: 'µs' },
        { id: 'load', title: 'load of 1,000 rules', unit: 'ms' },
        { id: 'loadCpu', title: 'its CPU', unit: 'ms' },
        { id: 'shipped', title: 'load of the shipped policy', unit: 'ms' },
        { id: 'shippedCpu', title: 'its CPU', unit: 'ms' },
      ],
      subjects: await interleavedRounds([{ name: 'castellan', measure }], rounds),
      goals: [
        { title: 'path decision, CPU', metric: 'path', subject: 'castellan', atMost: 20 },
        { title: 'parsed command line, CPU', metric: 'command', subject: 'castellan', atMost: 120 },
        { title: 'load of a policy of 1,000 rules', metric: 'load', subject: 'castellan', atMost: 200 },
        { title: 'load of it, CPU', metric: 'loadCpu', subject: 'castellan', atMost: 200 },
      ],
    };
  },
};

type AskedCall = readonly [tool: string, args: Readonly<Record<string, unknown>>];

/** Microseconds of CPU that one decision takes, on average over the calls. */
async function decider(): Promise<(calls: readonly AskedCall[]) => number> {
  const parser = await loadShellParser();
  const decideCall = new DecideCall({ root: WORKSPACE }, parser);
  const policy = await shippedPolicy(parser);
  const { requestsOf } = testBench(parser, {});
  return (calls) => {
    const asked = calls.map(
      ([tool, args]): CallToDecide => ({
        caller: LOCAL_STDIO,
        tool,
        arguments: args,
        requests: requestsOf(tool, args),
      }),
    );
    const before = process.cpuUsage();
    for (let made = 0; made < DECISIONS; made += asked.length) {
      for (const call of asked) decideCall.decide(policy, call);
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / DECISIONS;
  };
}

async function shippedPolicy(parser: Awaited<ReturnType<typeof loadShellParser>>): Promise<PermissionPolicy> {
  const surroundings = {
    workspace: WORKSPACE,
    home: '/home/user',
    never: [],
    neverWritten: [],
    tools: knownTools({}),
  };
  const loaded = await loadPolicy(
    { file: SHIPPED, trusted: true, surroundings },
    testBench(parser, {}),
    readPolicyFile,
  );
  if (!loaded.success) throw new Error(loaded.error.message);
  return loaded.value.snapshot.policy;
}

interface Start {
  readonly wall: number;
  readonly cpu: number;
}

/** Starts with a policy less the start without any. */
async function loads(server: ServerCommand, thousand: string): Promise<Sample> {
  const without = await start(server);
  const large = await start({ ...server, args: [...server.args, '--policy', thousand] });
  const shipped = await start({ ...server, args: [...server.args, '--policy', SHIPPED] });
  return {
    load: large.wall - without.wall,
    loadCpu: large.cpu - without.cpu,
    shipped: shipped.wall - without.wall,
    shippedCpu: shipped.cpu - without.cpu,
  };
}

async function start(server: ServerCommand): Promise<Start> {
  const started = performance.now();
  const client = new StdioClient(server);
  try {
    await client.initialize();
    return { wall: performance.now() - started, cpu: cpuMicroseconds(client.pid) / 1000 };
  } finally {
    await client.close();
  }
}
