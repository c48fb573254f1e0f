import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import { EVERYDAY, GIT_REPOSITORIES, type GitRepository } from '../support/git-repositories.js';
import { GitTwins } from '../support/git-twins.js';

const IS_LONG = process.env.CASTELLAN_LONG === '1';
/** Part of a name: these repositories alone, to look into one. */
const ONLY = process.env.CASTELLAN_GIT_REPOSITORY;
const A_DAY = 2;

/** Every run of a day takes the same few, so that what failed can be run again; all come round. */
function chosen(): readonly GitRepository[] {
  if (ONLY !== undefined) return GIT_REPOSITORIES.filter(({ name }) => name.includes(ONLY));
  if (IS_LONG) return GIT_REPOSITORIES;
  const from = Math.floor(Date.now() / 86_400_000) * A_DAY;
  return Array.from({ length: A_DAY }, (_, index) => {
    const one = GIT_REPOSITORIES[(from + index) % GIT_REPOSITORIES.length];
    if (one === undefined) throw new Error('There are no repositories.');
    return one;
  });
}

describe('Honest git', function () {
  this.timeout(600_000);
  let twins: GitTwins | undefined;

  afterEach(async () => {
    await twins?.stop();
    twins = undefined;
  });

  it('is tried in at least thirty repositories', () => {
    expect(new Set(GIT_REPOSITORIES.map(({ name }) => name)).size).to.be.at.least(30);
  });

  for (const repository of chosen()) {
    it(`ends as plain git does: ${repository.name}`, async () => {
      twins = await GitTwins.make(repository);
      await twins.run(repository.steps);
      if (!repository.isOdd) await twins.run(EVERYDAY);
      expect(twins.divergences, `\n  ${twins.divergences.join('\n  ')}\n`).to.have.lengthOf(0);
    });
  }
});
