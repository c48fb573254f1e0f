import type { Timer } from '../ports/system/timer.js';

const LONGEST_WAIT_MS = 50_000;

/** Waits until there is an answer, the call is cancelled, or the time is over. */
export function untilAnswered<T>(
  timer: Timer,
  signal: AbortSignal | undefined,
  ask: (over: AbortSignal) => Promise<T>,
): Promise<T | 'timed-out' | 'cancelled'> {
  const over = new AbortController();
  return new Promise<T | 'timed-out' | 'cancelled'>((resolve, reject) => {
    const onAbort = () => resolve('cancelled');
    const cancelTimer = timer.after(LONGEST_WAIT_MS, () => resolve('timed-out'));
    over.signal.addEventListener('abort', () => {
      cancelTimer();
      signal?.removeEventListener('abort', onAbort);
    });
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    else ask(over.signal).then(resolve, reject);
  }).finally(() => over.abort());
}
