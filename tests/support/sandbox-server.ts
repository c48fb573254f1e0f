import type { SandboxJob } from '../../src/application/ports/command/command-sandbox.js';
import { BubblewrapSandbox } from '../../src/infrastructure/command/sandbox/bubblewrap-sandbox.js';

/** Plays the server in a process of its own: runs the job that its parent sends and reports how it went. */
interface Order {
  readonly job: SandboxJob;
  readonly realHome: string;
  readonly stateFolder: string;
}

process.once('message', async ({ job, realHome, stateFolder }: Order) => {
  const sandbox = new BubblewrapSandbox({ searchPath: process.env.PATH ?? '', realHome, stateFolder });
  const signal = new AbortController().signal;
  const warmUp: SandboxJob = { ...job, program: { kind: 'argv', file: '/usr/bin/seq', args: ['300000'] } };
  // The first command makes what the others use, and the second uses it for the first time.
  for (let time = 0; time < 2; time += 1) await sandbox.run(warmUp, signal);
  let before: number | undefined;
  let peak = 0;
  const sample = (): void => {
    peak = Math.max(peak, process.memoryUsage().rss);
  };
  // What a start costs depends on the descriptors that whoever started us left open. The output alone is meant.
  const onChunk = (): void => {
    before ??= process.memoryUsage().rss;
    sample();
  };
  process.send?.({ state: 'running' });
  const result = await sandbox.run({ ...job, onChunk }, signal);
  sample();
  await sandbox.close();
  const outcome = result.success ? result.value : undefined;
  process.send?.({ state: 'done', outcome, growth: peak - (before ?? peak) }, () => process.exit(0));
});
