import type { Timer } from '../../ports/system/timer.js';
import type { BackgroundProcess } from './background-process.js';

/**
 * `exit`: the process ends. `line`: it prints a complete line. `idle`: it prints something and then nothing
 * for a while.
 */
export type WaitFor = 'exit' | 'line' | 'idle';

export const WAIT_FOR = ['exit', 'line', 'idle'] as const satisfies readonly WaitFor[];

/** Longer than the pause between two lines of one output, too short to be noticed. */
export const IDLE_MS = 400;

export interface ProcessWait {
  /** Any new output, by default. */
  readonly what: WaitFor | undefined;
  /** Output up to here is not new. */
  readonly seen: number;
  readonly ms: number;
}

/** Resolves when it has happened, the process has ended, the time is over, or the caller is gone. */
export async function waitForProcess(
  process: BackgroundProcess,
  { what, seen, ms }: ProcessWait,
  timer: Timer,
  signal: AbortSignal,
): Promise<void> {
  const isOver = (): boolean => process.outcome !== undefined;
  const { output } = process;
  const happened = {
    exit: isOver,
    line: () => isOver() || output.lineEnd > seen,
    idle: () => isOver() || output.end > seen,
  }[what ?? 'idle'];
  const started = process.runningMs;
  await process.until(happened, ms, timer, signal);
  if (what !== 'idle') return;
  for (let at = seen; !isOver() && !signal.aborted && output.end > at; ) {
    at = output.end;
    const left = ms - (process.runningMs - started);
    await process.until(() => isOver() || output.end > at, Math.min(IDLE_MS, left), timer, signal);
  }
}
