import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchContext, Sample, Suite } from '../bench-suite.js';
import { interleavedRounds } from '../interleaved-rounds.js';
import { StdioClient } from '../stdio-client.js';

const DEFAULT_ROUNDS = 25;
const SOCKET_TRIES = 100;
const BARE = 'node -e 0';
const WARM = 'hook, server running';
const ALONE = 'hook, no server';
const POLICY = 'extends: [builtin:workspace]\n';

export const hookSuite: Suite = {
  name: 'hook',
  run: async ({ subjects, args, scratch }: BenchContext) => {
    const main = subjects.find(({ name }) => name === 'castellan')?.server.args[0] ?? '';
    const rounds = Number(args[0] ?? DEFAULT_ROUNDS);
    const project = join(scratch, 'hooked');
    mkdirSync(project);
    const policy = join(project, 'permissions.yaml');
    writeFileSync(policy, POLICY);
    const [warm, alone] = ['warm', 'alone'].map((name) => environment(join(scratch, name), project, policy));
    const server = new StdioClient({
      command: process.execPath,
      args: [main],
      cwd: project,
      env: warm ?? {},
    });
    try {
      await server.initialize();
      await listening(join(scratch, 'warm', 'castellan', 'hooks'));
      const contenders = [
        { name: BARE, measure: () => started(['-e', '0'], project, {}) },
        { name: WARM, measure: () => started([main, 'hook', 'claude'], project, warm ?? {}) },
        { name: ALONE, measure: () => started([main, 'hook', 'claude'], project, alone ?? {}) },
      ];
      // The first start of each fills the page cache; it is not counted.
      await interleavedRounds(contenders, 1);
      return {
        title: 'A hook before each call of a client',
        conditions: `\`castellan hook claude\`, spawn to exit, about \`git status --short\` under builtin:workspace; beside it a Node that does nothing, which is most of the time. Medians of ${rounds} rounds.`,
        baseline: BARE,
        metrics: [{ id: 'wall', title: 'wall', unit: 'ms' }],
        subjects: await interleavedRounds(contenders, rounds),
        goals: [
          { title: 'hook beside a running server', metric: 'wall', subject: WARM, atMost: 60 },
          { title: 'hook against a bare Node', metric: 'wall', subject: WARM, against: BARE, atMost: 1.5 },
        ],
      };
    } finally {
      await server.close();
    }
  },
};

/** Each has a state folder of its own: a server is found through it. */
function environment(state: string, project: string, policy: string): Record<string, string> {
  mkdirSync(join(state, 'castellan', 'hooks'), { recursive: true });
  chmodSync(join(state, 'castellan'), 0o700);
  chmodSync(join(state, 'castellan', 'hooks'), 0o700);
  return { XDG_STATE_HOME: state, CASTELLAN_POLICY: policy, CLAUDE_PROJECT_DIR: project };
}

async function listening(folder: string): Promise<void> {
  for (let tries = 0; readdirSync(folder).length === 0; tries += 1) {
    if (tries === SOCKET_TRIES) throw new Error('the server opened no socket for hooks');
    await sleep(50);
  }
}

async function started(
  args: readonly string[],
  project: string,
  env: Readonly<Record<string, string>>,
): Promise<Sample> {
  const input = JSON.stringify({
    session_id: 'bench',
    cwd: project,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'git status --short' },
  });
  const begin = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: project,
    env: { ...process.env, ...env },
    input,
    encoding: 'utf8',
  });
  const wall = performance.now() - begin;
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return { wall };
}
