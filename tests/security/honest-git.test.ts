import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import { EVERYDAY, GIT_REPOSITORIES, type GitRepository } from '../support/git-repositories.js';
import { GitTwins } from '../support/git-twins.js';

const IS_LONG = process.env.CASTELLAN_LONG === '1';
/** Part of a name: these repositories alone, to look into one. */
const ONLY = process.env.CASTELLAN_GIT_REPOSITORY;
/** Those of an ordinary run; the long one takes all of them. */
const EVERY_RUN = new Set(['plain', 'renames']);

function chosen(): readonly GitRepository[] {
  if (ONLY !== undefined) return GIT_REPOSITORIES.filter(({ name }) => name.includes(ONLY));
  return IS_LONG ? GIT_REPOSITORIES : GIT_REPOSITORIES.filter(({ name }) => EVERY_RUN.has(name));
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
      if (IS_LONG ? !repository.isOdd : repository.name === 'plain') await twins.run(EVERYDAY);
      expect(twins.divergences, `\n  ${twins.divergences.join('\n  ')}\n`).to.have.lengthOf(0);
    });
  }
});
