import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import { Dice } from '../support/dice.js';
import { DATA_OPERATIONS, GIT_OPERATIONS, type GitOperation } from '../support/git-drivers/operations.js';
import { repositoryScript } from '../support/git-drivers/repository-script.js';
import { SamePlaceTwins } from '../support/git-drivers/same-place-twins.js';
import { viewDifferences } from '../support/git-drivers/user-view.js';

const IS_LONG = process.env.CASTELLAN_LONG === '1';
/** One number or two, as in 4001-4060: these sequences alone. */
const [first = 1, last = first + (IS_LONG ? 600 : 2) - 1] = (process.env.CASTELLAN_GIT_SEED ?? '')
  .split('-')
  .filter((text) => text !== '')
  .map(Number);
/** `all`: those too that change settings, which a command can only do with a line of git alone. */
const OPERATIONS = process.env.CASTELLAN_GIT_OPERATIONS === 'all' ? GIT_OPERATIONS : DATA_OPERATIONS;

interface Call {
  readonly script: string;
  readonly kinds: readonly string[];
}

/** 10 to 20 operations, one to four per call. */
function callsOf(dice: Dice, operations: readonly GitOperation[]): readonly Call[] {
  const calls: Call[] = [];
  for (let left = 10 + dice.below(11); left > 0; ) {
    const size = Math.min(left, 1 + dice.below(4));
    const picked = Array.from({ length: size }, () => dice.pick(operations));
    calls.push({
      script: picked.map(({ line }) => line(dice)).join('\n'),
      kinds: picked.map(({ name }) => name),
    });
    left -= size;
  }
  return calls;
}

describe('Sequences of git operations, several per call', function () {
  this.timeout(300_000);
  let twins: SamePlaceTwins | undefined;

  afterEach(async () => {
    await twins?.stop();
    twins = undefined;
  });

  it('are drawn from at least 120 kinds', () => {
    expect(new Set(GIT_OPERATIONS.map(({ name }) => name)).size).to.be.at.least(120);
  });

  for (let seed = first; seed <= last; seed += 1) {
    it(`leave the user what plain git leaves: seed ${seed}`, async () => {
      const dice = new Dice(seed);
      twins = new SamePlaceTwins();
      await twins.make(repositoryScript(dice));
      for (const [index, { script }] of callsOf(dice, OPERATIONS).entries()) {
        const [reply, ran] = await Promise.all([twins.inside(script), twins.beside(script)]);
        const [inside, beside] = await twins.views();
        const apart = [...viewDifferences(inside, beside)];
        if (reply.value?.exit_code !== ran.code)
          apart.push(
            `exit code ${reply.value?.exit_code} instead of ${ran.code}: ${JSON.stringify(reply)}, ${ran.stderr}`,
          );
        else if (reply.value.stdout.trimEnd() !== ran.stdout.trimEnd())
          apart.push(`stdout ${JSON.stringify(reply.value.stdout)} instead of ${JSON.stringify(ran.stdout)}`);
        const told = [`CASTELLAN_GIT_SEED=${seed}, call ${index}`, script, ...apart];
        expect(apart, `\n  ${told.join('\n  ')}\n  ${JSON.stringify(reply)}\n`).to.have.lengthOf(0);
      }
    });
  }
});
