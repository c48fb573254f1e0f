import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves when the condition holds; fails with its name when it does not within ten seconds. */
export async function eventually(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 1000; attempt += 1) {
    if (await condition()) return;
    await sleep(10);
  }
  throw new Error(`It did not come to pass: ${what}`);
}
