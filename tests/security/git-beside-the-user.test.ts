import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import { Dice } from '../support/dice.js';
import {
  faults,
  lostThings,
  MAKING,
  MAKING_REPOSITORY,
  madeIn,
  OF_THE_AGENT,
  OF_THE_USER,
} from '../support/git-drivers/made-things.js';
import { SamePlaceTwins } from '../support/git-drivers/same-place-twins.js';

const IS_LONG = process.env.CASTELLAN_LONG === '1';
/** One number or two, as in 4001-4060: these interleavings alone. */
const [first = 1, last = first + (IS_LONG ? 500 : 3) - 1] = (process.env.CASTELLAN_GIT_SEED ?? '')
  .split('-')
  .filter((text) => text !== '')
  .map(Number);

const identity = (name: string): NodeJS.ProcessEnv => ({
  GIT_AUTHOR_NAME: name,
  GIT_AUTHOR_EMAIL: `${name}@example.com`,
  GIT_COMMITTER_NAME: name,
  GIT_COMMITTER_EMAIL: `${name}@example.com`,
});
const AS_AGENT = Object.entries(identity('agent'))
  .map(([key, value]) => `export ${key}=${value};`)
  .join(' ');
const LOCKED = /index\.lock|cannot lock ref|Unable to create|could not lock/;

describe('A user who works with git while a command does', function () {
  this.timeout(120_000);
  let twins: SamePlaceTwins | undefined;
  const seen = { made: 0, 'user met a lock': 0, 'agent met a lock': 0, told: 0 };

  afterEach(async () => {
    await twins?.stop();
    twins = undefined;
  });

  function line(dice: Dice, who: string, names: readonly string[], number: number): string {
    return MAKING[dice.pick(names)]?.(who, number) ?? '';
  }

  for (let seed = first; seed <= last; seed += 1) {
    it(`loses nothing, and neither does the agent: seed ${seed}`, async () => {
      const dice = new Dice(seed);
      const place = new SamePlaceTwins();
      twins = place;
      await place.make(MAKING_REPOSITORY);
      const lines = Array.from({ length: 2 + dice.below(3) }, (_, number) =>
        [line(dice, 'agent', OF_THE_AGENT, number), `sleep 0.${dice.below(3)}`].join('\n'),
      );
      const byUser = Array.from({ length: 1 + dice.below(3) }, (_, number) => ({
        script: line(dice, 'user', OF_THE_USER, number),
        afterMs: dice.below(400),
      }));
      await place.inside('true');
      const agent = place.inside([AS_AGENT, ...lines].join('\n'));
      const ran: string[] = [];
      for (const { script, afterMs } of byUser) {
        await sleep(afterMs);
        const { stdout, stderr } = await place.outside(script, { env: identity('user') });
        ran.push(stdout);
        if (LOCKED.test(stderr)) seen['user met a lock'] += 1;
      }
      const reply = await agent;
      if (LOCKED.test(reply.value?.stderr ?? '')) seen['agent met a lock'] += 1;
      if (reply.message !== undefined) seen.told += 1;
      // Another command, so that all that waits is carried over.
      await place.inside('git status');
      const made = madeIn([reply.value?.stdout ?? '', ...ran].join('\n'));
      seen.made += made.length;
      const script = [`CASTELLAN_GIT_SEED=${seed}`, ...lines, 'user:', ...byUser.map((one) => one.script)];
      const told = `\n${script.join('\n')}\n${JSON.stringify(reply)}\n`;
      const outside = (text: string) => place.outside(text);
      expect(reply.value, told).not.to.equal(undefined);
      expect(await lostThings(made, outside), told).to.deep.equal([]);
      expect(await faults(outside), told).to.equal('');
    });
  }

  it('would be seen to lose something', async () => {
    const place = new SamePlaceTwins();
    twins = place;
    await place.make(MAKING_REPOSITORY);
    const names = ['commit', 'add', 'stash', 'branch', 'config'];
    const script = names.map((name, number) => MAKING[name]?.('user', number)).join('\n');
    const { stdout } = await place.outside(script, { env: identity('user') });
    const made = madeIn(stdout);
    expect(made.map(({ kind }) => kind)).to.deep.equal(['commit', 'staged', 'stash', 'ref', 'config']);
    const outside = (text: string) => place.outside(text);
    expect(await lostThings(made, outside)).to.deep.equal([]);
    await place.outside(
      'git branch -D userb3; git update-ref refs/heads/main main~1; git read-tree main; git stash clear; git reflog expire --expire=now --all; git config --remove-section branch.user4; git gc -q --prune=now',
    );
    expect(await lostThings(made, outside)).to.have.lengthOf(made.length);
    await place.outside('rm -rf .git/objects/pack');
    expect(await faults(outside)).not.to.equal('');
  });

  it('and an agent made something in these runs', () => {
    expect(seen.made).to.be.at.least(last - first + 1);
    if (IS_LONG) console.log(`      ${JSON.stringify(seen)}`);
  });
});
