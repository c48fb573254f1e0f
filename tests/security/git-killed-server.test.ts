import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import { Dice } from '../support/dice.js';
import { faults, lostThings, MAKING, MAKING_REPOSITORY, madeIn } from '../support/git-drivers/made-things.js';
import { SamePlaceTwins } from '../support/git-drivers/same-place-twins.js';

const IS_LONG = process.env.CASTELLAN_LONG === '1';
const KILLS = IS_LONG ? 200 : 3;
/** About what the call takes, from taking over what the user changed to the last thing carried back. */
const LONGEST_MS = 700;
const NAMES = ['commit', 'tag', 'stash', 'switch -c', 'add', 'config', 'branch', 'commit'];
/** Both sides of the airlock must agree on these after the next start. */
const SAME_VIEW =
  'git rev-parse HEAD; git symbolic-ref -q HEAD; git for-each-ref; git ls-files -s; git stash list --format=%H; git status --porcelain -uno';

describe('A server that is killed while it works with git', function () {
  this.timeout(120_000);
  let twins: SamePlaceTwins | undefined;

  afterEach(async () => {
    await twins?.stop();
    twins = undefined;
  });

  for (let seed = 1; seed <= KILLS; seed += 1) {
    it(`leaves a repository that works, and the next one has all that was made: ${seed}`, async () => {
      const dice = new Dice(seed);
      const place = new SamePlaceTwins();
      twins = place;
      await place.make(MAKING_REPOSITORY);
      const lines = Array.from({ length: 4 + dice.below(3) }, (_, number) =>
        MAKING[NAMES[(seed + number) % NAMES.length] ?? '']?.('agent', number),
      );
      const script = ['exec >> made.log', ...lines].join('\n');
      const client = await place.client();
      // Every other one while the user has just changed something that must be taken over first.
      if (seed % 2 === 0) await place.outside('git branch users; git config user.name user');
      const running = client.run({ command: 'bash', stdin: script }).catch(() => undefined);
      if (seed > 1) {
        await sleep(dice.below(LONGEST_MS));
        await client.server.signal('SIGKILL');
      }
      await running;
      const outside = (text: string) => place.outside(text);
      const told = `\n${script}\n`;
      // A lock may be left; nothing may be broken.
      expect(withoutLocks(await faults(outside)), told).to.equal('');
      await place.restart();
      const reply = await place.inside(SAME_VIEW);
      const log = join(place.workspace, 'made.log');
      const made = madeIn(existsSync(log) ? readFileSync(log, 'utf8') : '');
      if (seed === 1) expect(made).to.have.length.greaterThan(2);
      expect(await lostThings(made, outside), told).to.deep.equal([]);
      const { stdout } = await place.outside(SAME_VIEW);
      expect(reply.value?.stdout.trim(), `${told}${JSON.stringify(reply)}`).to.equal(stdout.trim());
      expect(await faults(outside), told).to.equal('');
    });
  }
});

/** git's commands only read here, so that a lock is no matter for them; a leftover one is told by others. */
function withoutLocks(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.includes('.lock'))
    .join('\n');
}
