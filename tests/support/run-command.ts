import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. */
export async function runCommand(
  file: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly input?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Finished> {
  // Whoever names a folder means it to be the workspace.
  const { CASTELLAN_WORKSPACE, ...inherited } = process.env;
  const own = options.cwd === undefined ? { CASTELLAN_WORKSPACE } : {};
  const child = spawn(file, args, { cwd: options.cwd, env: { ...inherited, ...own, ...options.env } });
  child.stdin.end(options.input ?? '');
  const closed = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await closed;
  return { code, stdout, stderr };
}
