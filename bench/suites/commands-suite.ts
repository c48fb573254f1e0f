import 'reflect-metadata';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runsCommand } from '../../src/application/permission/argument-requests.js';
import { DecideCall } from '../../src/application/permission/decide-call.js';
import { PolicySource } from '../../src/application/ports/permission/policy-source.js';
import type { Castellan } from '../../src/composition/server/castellan.js';
import { createCastellan as createFromSource } from '../../src/composition/server/create-castellan.js';
import { LOCAL_EMBEDDED } from '../../src/domain/session/caller.js';
import { bareSandbox, runBare } from '../bare-bubblewrap.js';
import type { BenchContext, Goal, Sample, Suite } from '../bench-suite.js';
import { interleavedRounds } from '../interleaved-rounds.js';
import { StdioClient } from '../stdio-client.js';

const DEFAULT_ROUNDS = 20;
/** Few in a row, so that all meet the same load of the machine. */
const RUNS = 2;
/** An agent reads an answer before it runs the next command, and what one contender leaves to do is not another's. */
const PAUSE_MS = 60;
const FIRSTS = 5;
const IDLE_MS = 1_000;
const DECISIONS = 500;
/** A server that serves has made some; what compiling costs is not what a decision costs. */
const WARM_UP_ROUNDS = 16;
const LINE = "grep -rn 'export function' src | sort | head -20 && ls -la *.md 2>/dev/null";
const TEXT =
  'for f in src/*.js; do echo "$f function"; node --check "$f" || exit 1; done; git log -n 3 "$(git branch --show-current)"';

const ROOM = 'rate: { limit: 1000000/min, burst: 1000000 }';
const POLICIES = {
  unsandboxed: `tools:\n  execute_command:\n    allowed_commands: ["*"]\n    sandbox: none\n    ${ROOM}\n`,
  sandboxed: `extends: [builtin:workspace]\ntools:\n  execute_command:\n    ${ROOM}\n`,
  named: `tools:\n  execute_command:\n    allowed_commands: [ls, cat, grep, find, sort, head]\n    ${ROOM}\n`,
  texts: `extends: [builtin:workspace]\ntools:\n  execute_command:\n    ${ROOM}\n`,
} as const;

/** What users get; a decision is taken apart from the source, whose parts are not exported. */
const LIBRARY = new URL('../../dist/lib/index.js', import.meta.url).href;

export const commandsSuite: Suite = {
  name: 'commands',
  run: async ({ args, scratch, subjects: [server] }: BenchContext) => {
    const rounds = Number(args[0] ?? DEFAULT_ROUNDS);
    const [unsandboxed, sandboxed, named, texts] = [
      await start(scratch, 'unsandboxed'),
      await start(scratch, 'sandboxed'),
      await start(scratch, 'named'),
      await start(scratch, 'texts'),
    ];
    const bare = await bareSandbox(texts, join(scratch, 'commands'), join(scratch, 'bare'));
    const masked = [
      { name: MASKED, castellan: await startMasked(scratch, 'masked', (index) => `keys/${index}.pem`) },
      { name: SCATTERED, castellan: await startMasked(scratch, 'scattered', (index) => `d${index}/.env`) },
    ];
    const trees = await Promise.all(
      TREES.map(async (folders) => ({ folders, castellan: await startIn(scratch, folders) })),
    );
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
      await decide(named, LINE);
      await decide(texts, TEXT);
    }
    const contenders = [
      { name: 'raw spawn', measure: () => measure(runRaw) },
      { name: BARE, measure: () => measure(() => runBare(bare.options)) },
      { name: 'without a sandbox', measure: () => measure(() => runTrue(unsandboxed)) },
      { name: FULL, measure: () => measure(() => runTrue(sandboxed)) },
      ...trees.map(({ folders, castellan }) => ({
        name: treeName(folders),
        measure: () => measure(() => runTrue(castellan)),
      })),
      ...masked.map(({ name, castellan }) => ({ name, measure: () => measure(() => runTrue(castellan)) })),
      { name: 'decision', measure: () => decide(named, LINE) },
      { name: 'decision on a text', measure: () => decide(texts, TEXT) },
    ];
    const subjects = [...(await interleavedRounds(contenders, rounds))];
    const all = [unsandboxed, sandboxed, named, texts, ...[...trees, ...masked].map((one) => one.castellan)];
    for (const castellan of all) await castellan.close();
    await bare.close();
    const first = { name: FIRST, measure: () => firstCommand(server?.server.args ?? [], scratch) };
    return {
      title: 'execute_command',
      conditions: `\`true\`, wall time of a call through the whole pipeline in process, ${PAUSE_MS} ms after what ran before, and ${RUNS} right after one another; beside it a raw spawn with two pipes, and bwrap alone with the whole plan as its arguments; workspaces of many folders have a file in each; a decision is the processor time of parsing, looking up and authorising \`${LINE}\`, another word in it each time, under a policy of names, and of a text that only bash understands (\`${TEXT}\`) under builtin:workspace, both after ${WARM_UP_ROUNDS * DECISIONS} of them. The first command is the one of a built server over stdio that has been idle for a second, ${FIRSTS} servers. Rates raised. Medians of ${rounds} rounds.`,
      baseline: 'raw spawn',
      metrics: [
        { id: 'true', title: 'run true', unit: 'ms' },
        { id: 'row', title: 'right after another', unit: 'ms' },
        { id: 'decision', title: 'parsed-command decision', unit: 'µs' },
        { id: 'first', title: 'first command', unit: 'ms' },
      ],
      subjects: [...subjects, ...(await interleavedRounds([first], FIRSTS))],
      goals: GOALS,
    };
  },
};

const BARE = 'bare bwrap, the same mounts';
const FULL = 'in the full sandbox';
const FIRST = 'first command after a second of idleness';
const MASKS = 1_000;
const MASKED = 'in the full sandbox, 1,000 masked names in one folder';
const SCATTERED = 'in the full sandbox, 1,000 masked names in as many folders';
const TREES = [0, 1_000, 5_000];

function treeName(folders: number): string {
  return `in the full sandbox, ${folders.toLocaleString('en')} folders`;
}

const GOALS = [
  runGoal('true without a sandbox', 'without a sandbox', 'raw spawn', 1.25),
  runGoal('true in the full sandbox, against bare bwrap with the same mounts', FULL, BARE, 1.3),
  {
    title: 'right after another command, against the same',
    metric: 'row',
    subject: FULL,
    against: BARE,
    atMost: 1.3,
  },
  runGoal('true beside 1,000 masked names in one folder, against none', MASKED, treeName(0), 1.2),
  runGoal('true in a workspace of 5,000 folders, against an empty one', treeName(5_000), treeName(0), 1.2),
  { title: 'parsed-command decision', metric: 'decision', subject: 'decision', atMost: 120 },
  { title: 'decision on a text of bash', metric: 'decision', subject: 'decision on a text', atMost: 400 },
  { title: FIRST, metric: 'first', subject: FIRST, atMost: 150 },
];

function runGoal(title: string, subject: string, against: string, atMost: number): Goal {
  return { title, metric: 'true', subject, against, atMost };
}

async function startMasked(
  scratch: string,
  name: string,
  pathOf: (index: number) => string,
): Promise<Castellan> {
  const workspace = join(scratch, name);
  for (let index = 0; index < MASKS; index += 1) {
    const path = join(workspace, pathOf(index));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'x');
  }
  return start(scratch, 'sandboxed', workspace);
}

async function startIn(scratch: string, folders: number): Promise<Castellan> {
  const workspace = join(scratch, `folders-${folders}`);
  mkdirSync(workspace, { recursive: true });
  for (let index = 0; index < folders; index += 1) {
    const folder = join(workspace, `group-${index % 50}`, `folder-${index}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'file.txt'), 'x\n');
  }
  return start(scratch, 'sandboxed', workspace);
}

async function start(
  scratch: string,
  name: keyof typeof POLICIES,
  workspace = join(scratch, 'commands'),
): Promise<Castellan> {
  mkdirSync(workspace, { recursive: true });
  const policy = join(scratch, `${name}.yaml`);
  writeFileSync(policy, POLICIES[name]);
  const environment = { ...process.env, XDG_STATE_HOME: join(scratch, 'state') };
  const library: typeof import('../../src/index.js') = await import(LIBRARY);
  const create = name === 'named' || name === 'texts' ? createFromSource : library.createCastellan;
  const castellan = await create({ workspace, policy, environment, logLevel: 'silent' });
  await runTrue(castellan, name === 'named' ? 'ls' : 'true');
  return castellan;
}

async function measure(run: () => Promise<void>): Promise<Sample> {
  let paused = 0;
  for (let index = 0; index < RUNS; index += 1) {
    await sleep(PAUSE_MS);
    paused += await timed(run);
  }
  // The first one is after a pause as well.
  await run();
  let row = 0;
  for (let index = 0; index < RUNS; index += 1) row += await timed(run);
  return { true: paused / RUNS, row: row / RUNS };
}

async function timed(run: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

async function firstCommand(server: readonly string[], scratch: string): Promise<Sample> {
  const workspace = join(scratch, 'commands');
  const client = new StdioClient({
    command: process.execPath,
    args: server,
    cwd: workspace,
    env: {
      CASTELLAN_WORKSPACE: workspace,
      CASTELLAN_POLICY: join(scratch, 'sandboxed.yaml'),
      XDG_STATE_HOME: join(scratch, 'state'),
    },
  });
  try {
    await client.initialize();
    await sleep(IDLE_MS);
    const call = { name: 'execute_command', arguments: { command: 'true' } };
    return { first: await timed(async () => void (await client.request('tools/call', call))) };
  } finally {
    await client.close();
  }
}

async function runRaw(): Promise<void> {
  const child = spawn('/bin/true', [], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.resume();
  child.stderr.resume();
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`true ended with ${code}`);
}

async function runTrue(castellan: Castellan, command = 'true'): Promise<void> {
  const outcome = await castellan.execute('execute_command', { command });
  if (!outcome.success) throw new Error(outcome.error.message);
}

let decisions = 0;

/** Another line each time: the reading of one that was just read is remembered. */
async function decide({ container }: Castellan, line: string): Promise<Sample> {
  const decideCall = container.get(DecideCall);
  const { policy } = container.get(PolicySource).current();
  const before = process.cpuUsage();
  for (let index = 0; index < DECISIONS; index += 1) {
    decisions += 1;
    const args = { command: line.replace('function', `function${decisions}`) };
    const call = {
      caller: LOCAL_EMBEDDED,
      tool: 'execute_command',
      arguments: args,
      requests: runsCommand(args),
    };
    if (decideCall.decide(policy, call).effect !== 'allow') throw new Error('the line is refused');
  }
  const { user, system } = process.cpuUsage(before);
  return { decision: (user + system) / DECISIONS };
}
