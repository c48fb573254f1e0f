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
  const { status, stdout } = spawnSync(file, args, {
    cwd: '/',
    input,
    env,
    encoding: 'utf8',
    timeout: timeoutMs,
  });
  return status === 0 ? stdout : undefined;
}
