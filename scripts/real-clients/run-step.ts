import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import type { Step } from './client-sessions.js';

const KEY_MS = 300;

export interface StepGround {
  readonly home: string;
  readonly project: string;
  /** The folder that the client is installed in. */
  readonly client: string;
  /** The folder of the Node that runs it. */
  readonly node: string;
}

/** Everything that the step printed until it ended or its time was over. */
export async function runStep(step: Step, ground: StepGround, seconds: number): Promise<string> {
  const path = [ground.node, join(ground.client, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  const child = spawn('timeout', ['--kill-after=5', String(seconds), step.program, ...step.args], {
    cwd: ground.project,
    env: { PATH: path, HOME: ground.home, TERM: 'dumb', ...step.env },
    stdio: [step.keys === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const output of [child.stdout, child.stderr])
    output?.setEncoding('utf8').on('data', (part: string) => {
      printed += part;
    });
  child.stdin?.on('error', () => undefined);
  const keys = step.keys?.(() => printed);
  const typing = setInterval(() => child.stdin?.write(keys?.next().value ?? ''), KEY_MS);
  await new Promise((resolve) => child.once('close', resolve));
  clearInterval(typing);
  return printed;
}
