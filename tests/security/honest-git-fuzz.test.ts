import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import { gitSequence } from '../support/git-sequences.js';
import { GitTwins } from '../support/git-twins.js';

const SEQUENCES = process.env.CASTELLAN_LONG === '1' ? 300 : 1;
/** One number or two, as in 4001-4060: these sequences alone, to look into them or to try others. */
const [first = 1602, last = first + SEQUENCES - 1] = chosen(process.env.CASTELLAN_GIT_SEED);
const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index);

function chosen(text: string | undefined): readonly number[] {
  const [from, to = from] = text?.split('-').map(Number) ?? [];
  return from === undefined || to === undefined ? [] : [from, to];
}

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
