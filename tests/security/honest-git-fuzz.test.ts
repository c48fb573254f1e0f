import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import { gitSequence } from '../support/git-sequences.js';
import { GitTwins } from '../support/git-twins.js';

const SEQUENCES = process.env.CASTELLAN_LONG === '1' ? 300 : 2;
/** One number: that sequence alone, to look into it. */
const SEED = process.env.CASTELLAN_GIT_SEED;
const seeds =
  SEED === undefined ? Array.from({ length: SEQUENCES }, (_, index) => 1602 + index) : [Number(SEED)];

describe('Random sequences of git commands', function () {
  this.timeout(300_000);
  let twins: GitTwins | undefined;

  afterEach(async () => {
    await twins?.stop();
    twins = undefined;
  });

  for (const seed of seeds) {
    it(`leave what plain git leaves, or say so: seed ${seed}`, async () => {
      const { repository, steps } = gitSequence(seed);
      twins = await GitTwins.make(repository);
      await twins.run(steps);
      const told = [
        `CASTELLAN_GIT_SEED=${seed}`,
        ...steps.map((step) => JSON.stringify(step)),
        'came out apart:',
        ...twins.divergences,
      ];
      expect(twins.divergences, `\n  ${told.join('\n  ')}\n`).to.have.lengthOf(0);
    });
  }
});
