import { setTimeout as sleep } from 'node:timers/promises';

/** Less than what commands have by default, whose end must not pass for the server's doing. */
const WITHIN_MS = 25_000;
const FIRST_PAUSE_MS = 5;
/** Looking takes time itself, often that of all processes of the machine. */
const LONGEST_PAUSE_MS = 80;

type Condition = () => boolean | Promise<boolean>;

/** Whether the condition comes to hold in time. */
export async function happens(condition: Condition, withinMs = WITHIN_MS): Promise<boolean> {
  let pauseMs = FIRST_PAUSE_MS;
  for (const end = performance.now() + withinMs; performance.now() < end; ) {
    if (await condition()) return true;
    await sleep(pauseMs);
    pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS);
  }
  return condition();
}

/** Resolves when the condition holds; fails with its name when it does not in time. */
export async function eventually(what: string, condition: Condition, withinMs = WITHIN_MS): Promise<void> {
  if (!(await happens(condition, withinMs))) throw new Error(`It did not come to pass: ${what}`);
}
