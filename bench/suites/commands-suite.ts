import 'reflect-metadata';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runsCommand } from '../../src/application/permission/argument-requests.js';
import { DecideCall } from '../../src/application/permission/decide-call.js';
import { PolicySource } from '../../src/application/ports/permission/policy-source.js';
import type { Castellan } from '../../src/composition/server/castellan.js';
import { createCastellan as createFromSource } from '../../src/composition/server/create-castellan.js';
import { LOCAL_EMBEDDED } from '../../src/domain/session/caller.js';
import type { BenchContext, Sample, Suite } from '../bench-suite.js';
import { interleavedRounds } from '../interleaved-rounds.js';

const DEFAULT_ROUNDS = 40;
/** Few in a row, so that all meet the same load of the machine. */
const RUNS = 2;
const DECISIONS = 500;
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
  run: async ({ args, scratch }: BenchContext) => {
    const rounds = Number(args[0] ?? DEFAULT_ROUNDS);
    const open = (name: keyof typeof POLICIES) => start(scratch, name);
    const [unsandboxed, sandboxed, named, texts] = [
      await open('unsandboxed'),
      await open('sandboxed'),
      await open('named'),
      await open('texts'),
    ];
    const trees = await Promise.all(
      TREES.map(async (folders) => ({ folders, castellan: await startIn(scratch, folders) })),
    );
    const contenders = [
      { name: 'raw spawn', measure: async () => ({ true: await average(runRaw) }) },
      {
        name: 'without a sandbox',
        measure: async () => ({ true: await average(() => runTrue(unsandboxed)) }),
      },
      {
        name: 'in the full sandbox',
        measure: async () => ({ true: await average(() => runTrue(sandboxed)) }),
      },
      ...trees.map(({ folders, castellan }) => ({
        name: treeName(folders),
        measure: async () => ({ true: await average(() => runTrue(castellan)) }),
      })),
      { name: 'decision', measure: () => decide(named, LINE) },
      { name: 'decision on a text', measure: () => decide(texts, TEXT) },
    ];
    const subjects = await interleavedRounds(contenders, rounds);
    for (const castellan of [unsandboxed, sandboxed, named, texts, ...trees.map((tree) => tree.castellan)])
      await castellan.close();
    return {
      title: 'execute_command',
      conditions: `\`true\`, ${RUNS} one after another a round, wall time of a call through the whole pipeline in process, against a raw spawn with two pipes; workspaces of many folders have a file in each; a decision is the processor time of parsing, looking up and authorising \`${LINE}\`, another word in it each time, under a policy of names, and of a text that only bash understands (\`${TEXT}\`) under builtin:workspace. Rates raised. Medians of ${rounds} rounds.`,
      baseline: 'raw spawn',
      metrics: [
        { id: 'true', title: 'run true', unit: 'ms' },
        { id: 'decision', title: 'parsed-command decision', unit: 'µs' },
      ],
      subjects,
      goals: [
        runGoal('without a sandbox', 1.25),
        runGoal('in the full sandbox', 4.5),
        {
          title: 'true in a workspace of 5,000 folders, against an empty one',
          metric: 'true',
          subject: treeName(5_000),
          against: treeName(0),
          atMost: 1.2,
        },
        { title: 'parsed-command decision', metric: 'decision', subject: 'decision', atMost: 120 },
        {
          title: 'decision on a text of bash',
          metric: 'decision',
          subject: 'decision on a text',
          atMost: 400,
        },
      ],
    };
  },
};

const TREES = [0, 1_000, 5_000];

function treeName(folders: number): string {
  return `in the full sandbox, ${folders.toLocaleString('en')} folders`;
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

function runGoal(subject: string, atMost: number) {
  return { title: `true ${subject}`, metric: 'true', subject, against: 'raw spawn', atMost };
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

async function average(run: () => Promise<void>): Promise<number> {
  const started = performance.now();
  for (let index = 0; index < RUNS; index += 1) await run();
  return (performance.now() - started) / RUNS;
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
