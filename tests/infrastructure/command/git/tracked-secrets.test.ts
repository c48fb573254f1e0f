import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { BlobNames } from '../../../../src/infrastructure/command/git/blob-names.js';
import { IndexEntries } from '../../../../src/infrastructure/command/git/index-entries.js';
import { ObjectReader } from '../../../../src/infrastructure/command/git/object-reader.js';
import type { SeenRepositories } from '../../../../src/infrastructure/command/git/repository-head.js';
import { TrackedSecrets } from '../../../../src/infrastructure/command/git/tracked-secrets.js';
import { GitGround } from '../../../support/git-ground.js';

describe('TrackedSecrets', () => {
  let ground: GitGround;
  let tracked: TrackedSecrets;
  let seen: SeenRepositories;
  let secret: string;

  /** `other` tracks the secret, `main` does not. */
  beforeEach(async () => {
    ground = new GitGround();
    ground.write('ws/a.txt', 'a\n');
    ground.git('add', '-A');
    ground.git('commit', '-qm', 'main');
    ground.git('checkout', '-qb', 'other');
    ground.write('ws/server.pem', 'tracked\n');
    ground.git('add', '-A');
    ground.git('commit', '-qm', 'other');
    ground.git('checkout', '-q', '-');
    secret = join(ground.workspace, 'server.pem');
    seen = { entries: [join(ground.workspace, '.git')], folders: [ground.workspace] };
    const reader = new ObjectReader(join(ground.root, 'git-reader'));
    tracked = new TrackedSecrets({
      reader,
      names: new BlobNames(),
      indexes: new IndexEntries(reader),
    });
  });

  afterEach(() => ground.remove());

  it('opens a file as HEAD has it', async () => {
    ground.git('checkout', '-q', 'other');
    expect([...(await tracked.open([secret], seen))]).to.deep.equal([secret]);
  });

  it('opens a file as the index has it', async () => {
    writeFileSync(secret, 'staged\n');
    ground.git('add', '-f', 'server.pem');
    expect([...(await tracked.open([secret], seen))]).to.deep.equal([secret]);
  });

  it('hides what the user wrote into a tracked file', async () => {
    ground.git('checkout', '-q', 'other');
    tracked.leftBy([secret]);
    expect([...(await tracked.open([secret], seen))]).to.deep.equal([secret]);
    writeFileSync(secret, 'edited by the user\n');
    expect([...(await tracked.open([secret], seen))]).to.deep.equal([]);
  });

  it('leaves a file open as a command left it', async () => {
    writeFileSync(secret, 'edited by a command\n');
    tracked.leftBy([secret]);
    expect([...(await tracked.open([secret], seen))]).to.deep.equal([secret]);
  });

  it('hides what was hidden from a command, whatever else ended since', async () => {
    ground.git('checkout', '-q', 'other');
    writeFileSync(secret, 'edited by the user\n');
    expect([...(await tracked.open([secret], seen))]).to.deep.equal([]);
    tracked.leftBy([secret]);
    expect([...(await tracked.open([secret], seen))]).to.deep.equal([]);
  });

  it('hides a file of which HEAD has the path alone', async () => {
    writeFileSync(secret, "the user's own\n");
    ground.git('reset', '-q', 'other');
    expect([...(await tracked.open([secret], seen))]).to.deep.equal([]);
  });
});
