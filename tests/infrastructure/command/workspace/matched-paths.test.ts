import { appendFileSync, lstatSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ChangeTracker } from '../../../../src/infrastructure/command/workspace/change-tracker.js';
import { MatchedPaths, matchedAs } from '../../../../src/infrastructure/command/workspace/matched-paths.js';
import type { WatchedTree } from '../../../../src/infrastructure/command/workspace/watched-tree.js';
import { TreeGround } from '../../../support/tree-ground.js';

class BlindTracker extends ChangeTracker {
  override watch(): undefined {
    return undefined;
  }
}

describe('The revision of a tree', () => {
  let ground: TreeGround;
  let tree: WatchedTree;
  const at = (path: string): string => join(ground.root, path);

  beforeEach(async () => {
    ground = new TreeGround();
    for (const path of ['.git/HEAD', '.git/index', 'app/.env', 'app/code.ts', 'CLAUDE.md', 'notes/x.txt'])
      ground.put(path);
    for (const path of ['bare/HEAD', 'bare/objects/x', 'bare/refs/heads/main']) ground.put(path);
    tree = ground.tree();
    await tree.refresh();
  });
  afterEach(() => ground.remove());

  async function pulseAfter(change: () => void): Promise<readonly [before: unknown, after: unknown]> {
    const before = tree.revision;
    change();
    await tree.refresh();
    return [before, tree.revision];
  }

  const SAME: Readonly<Record<string, () => void>> = {
    nothing: () => undefined,
    'a file that no rule is about was written': () => appendFileSync(at('app/code.ts'), 'more'),
    'such a file was made': () => writeFileSync(at('app/new.ts'), 'x'),
  };
  for (const [what, change] of Object.entries(SAME)) {
    it(`is the same after: ${what}`, async () => {
      const [before, after] = await pulseAfter(change);
      expect(before).to.be.a('number');
      expect(after).to.equal(before);
    });
  }

  const OTHER: Readonly<Record<string, () => void>> = {
    'a secret was written': () => appendFileSync(at('app/.env'), 'x'),
    'a protected file was replaced': () => {
      writeFileSync(at('fresh'), 'x');
      renameSync(at('fresh'), at('CLAUDE.md'));
    },
    'a folder was made': () => mkdirSync(at('notes/below')),
    'a folder was renamed': () => renameSync(at('notes'), at('notes2')),
    'git wrote its index': () => {
      writeFileSync(at('.git/index.lock'), 'x');
      renameSync(at('.git/index.lock'), at('.git/index'));
    },
    'something was made deep in a git folder': () => symlinkSync('/etc', at('.git/link')),
    'something was made in a folder that looks like one': () => symlinkSync('/', at('bare/refs/heads/x')),
    'a hook was made in any folder': () => writeFileSync(at('notes/pre-commit'), 'x'),
    'a git file was made in any folder': () => writeFileSync(at('notes/.git'), 'gitdir: x'),
  };
  for (const [what, change] of Object.entries(OTHER)) {
    it(`is another one after: ${what}`, async () => {
      const [before, after] = await pulseAfter(change);
      expect(after).to.be.a('number').and.not.equal(before);
    });
  }

  it('is unknown where a folder is not watched', async () => {
    ground.tracker = new BlindTracker(join(ground.state, 'watch'));
    const blind = ground.tree();
    await blind.refresh();
    expect(blind.revision).to.equal(undefined);
  });
});

describe('Matched paths', () => {
  it('are there while folders are read again, until that is over', () => {
    const matches = new MatchedPaths();
    matches.set('/ws/.env', matchedAs('hide', lstatSync('package.json')));
    matches.settle();
    const { changes } = matches;
    matches.drop('/ws/.env');
    expect(matches.paths('hide')).to.deep.equal(['/ws/.env']);
    expect(matches.get('/ws/.env')).to.equal(undefined);
    matches.settle();
    expect(matches.paths('hide')).to.deep.equal([]);
    expect(matches.changes).to.be.greaterThan(changes + 1);
  });

  it('are not told twice', () => {
    const matches = new MatchedPaths();
    const found = matchedAs('hide', lstatSync('package.json'));
    matches.set('/ws/.env', found);
    matches.drop('/ws/.env');
    matches.set('/ws/.env', found);
    expect(matches.paths('hide')).to.deep.equal(['/ws/.env']);
  });
});
