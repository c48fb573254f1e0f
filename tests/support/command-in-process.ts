import { runCommandLine } from '../../src/composition/cli/command-line.js';
import { reportFault } from '../../src/composition/server/report-fault.js';
import type { Finished } from './run-command.js';

/** Runs a line of the command in this process, so that many can be tried without a start for each. One at a time. */
export async function commandInProcess(
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<Finished> {
  const before = { argv: process.argv, cwd: process.cwd(), env: { ...process.env } };
  const printed = { stdout: '', stderr: '' };
  const streams = [capture('stdout', printed), capture('stderr', printed)];
  // The log goes past the streams where it is written for programs.
  Object.assign(process.env, env, { CASTELLAN_LOG_FORMAT: env.CASTELLAN_LOG_FORMAT ?? 'text' });
  delete process.env.CASTELLAN_WORKSPACE;
  process.argv = [before.argv[0] ?? '', 'castellan', ...args];
  process.chdir(cwd);
  try {
    const code = await runCommandLine().catch(reportFault);
    return { code, ...printed };
  } finally {
    for (const release of streams) release();
    process.chdir(before.cwd);
    process.argv = before.argv;
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, before.env);
  }
}

function capture(name: 'stdout' | 'stderr', printed: Record<string, string>): () => void {
  const stream = process[name];
  const write = stream.write;
  stream.write = (text: string | Uint8Array) => {
    printed[name] += typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
    return true;
  };
  return () => {
    stream.write = write;
  };
}
