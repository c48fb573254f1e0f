import { spawnSync } from 'node:child_process';

export interface Question {
  readonly input: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/**
 * What a program answers on its standard output; undefined where it fails or takes too long. The server waits and
 * does nothing else meanwhile. By spawnSync, the one start beside execa's: docs/adr/0019.
 */
export function askAtOnce(
  file: string,
  args: readonly string[],
  { input, env, timeoutMs }: Question,
): string | undefined {
  const { isDone, out } = runAtOnce(file, args, { input, env, timeoutMs });
  return isDone ? out.toString('utf8') : undefined;
}

interface RunAtOnce {
  readonly input?: Uint8Array | string | undefined;
  /** An open file, read from where it stands, instead of `input`. */
  readonly inputFile?: number | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxBytes?: number;
}

/** As askAtOnce, for a process whose only work this is. */
export function runAtOnce(
  file: string,
  args: readonly string[],
  { input, inputFile, env, timeoutMs, maxBytes }: RunAtOnce,
): { readonly isDone: boolean; readonly out: Buffer; readonly complaint: string } {
  const { status, stdout, stderr } = spawnSync(file, args, {
    cwd: '/',
    env,
    ...(input !== undefined && { input }),
    stdio: [inputFile ?? 'pipe', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    ...(maxBytes !== undefined && { maxBuffer: maxBytes }),
  });
  return { isDone: status === 0, out: stdout ?? Buffer.alloc(0), complaint: String(stderr ?? '').trim() };
}
