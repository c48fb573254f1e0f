import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ChangeTracker } from '../../../../src/infrastructure/command/workspace/change-tracker.js';
import { TreeGround } from '../../../support/tree-ground.js';

/** As where no inotify is left: every folder has to be compared. */
class BlindTracker extends ChangeTracker {
  override watch(): undefined {
    return undefined;
  }
}

for (const kind of ['told by the kernel', 'compared by change times'] as const) {
  describe(`WatchedTree, ${kind}`, () => {
    let ground: TreeGround;

    beforeEach(() => {
      ground = new TreeGround();
      if (kind !== 'told by the kernel') ground.tracker = new BlindTracker(join(ground.state, 'watch'));
    });
    afterEach(() => ground.remove());

    it('finds what is there, and at once what came, went or was moved since', async () => {
      ground.put('app/.env');
      ground.put('deep/a/b/CLAUDE.md');
      ground.folder('pkg/.git');
      const tree = ground.tree();
      expect(await ground.found(tree, 'hide')).to.deep.equal(['app/.env']);
      expect(await ground.found(tree, 'fixed')).to.deep.equal(['deep/a/b/CLAUDE.md']);
      expect(await ground.found(tree, 'git')).to.deep.equal(['pkg/.git']);
      renameSync(join(ground.root, 'app'), join(ground.root, 'app2'));
      expect(await ground.found(tree, 'hide')).to.deep.equal(['app2/.env']);
      renameSync(join(ground.root, 'app2'), join(ground.root, 'deep/a/b/app3'));
      ground.put('new/folders/all/the/way/.env');
      expect(await ground.found(tree, 'hide')).to.deep.equal([
        'deep/a/b/app3/.env',
        'new/folders/all/the/way/.env',
      ]);
      rmSync(join(ground.root, 'deep'), { recursive: true });
      expect(await ground.found(tree, 'hide')).to.deep.equal(['new/folders/all/the/way/.env']);
      expect(await ground.found(tree, 'fixed')).to.deep.equal([]);
    });

    it('finds secrets that were moved into a repository, and takes no branch for one', async () => {
      ground.put('app/.env');
      ground.put('.git/refs/heads/.env');
      const tree = ground.tree();
      expect(await ground.found(tree, 'hide')).to.deep.equal(['app/.env']);
      renameSync(join(ground.root, 'app'), join(ground.root, '.git/refs/app'));
      expect(await ground.found(tree, 'hide')).to.deep.equal(['.git/refs/app/.env']);
    });

    it('keeps its version while only other files change', async () => {
      ground.put('app/.env');
      const tree = ground.tree();
      await tree.refresh();
      const { version } = tree.matches;
      ground.put('app/other.txt');
      ground.put('src/made/file.ts');
      await tree.refresh();
      expect(tree.matches.version).to.equal(version);
      unlinkSync(join(ground.root, 'app/.env'));
      ground.put('app/.env');
      await tree.refresh();
      expect(tree.matches.version).to.be.greaterThan(version);
    });

    it('hides every name of a hidden file', async () => {
      const secret = ground.put('app/.env');
      linkSync(secret, ground.put('plain/x').replace('/x', '/copy.txt'));
      const tree = ground.tree();
      expect(await ground.found(tree, 'hide')).to.deep.equal(['app/.env', 'plain/copy.txt']);
      linkSync(secret, join(ground.root, 'later'));
      expect(await ground.found(tree, 'hide')).to.deep.equal(['app/.env', 'later', 'plain/copy.txt']);
    });

    it('hides a file that gets its second name after the first look', async () => {
      const secret = ground.put('app/.env');
      const tree = ground.tree();
      await tree.refresh();
      linkSync(secret, join(ground.root, 'copy'));
      expect(await ground.found(tree, 'hide')).to.deep.equal(['app/.env', 'copy']);
    });

    it('keeps hidden what left its place, also after a restart', async () => {
      ground.put('config/private/x.txt');
      const tree = ground.tree();
      expect(await ground.found(tree, 'hide')).to.deep.equal(['config/private']);
      ground.places.save();
      renameSync(join(ground.root, 'config'), join(ground.root, 'cfg'));
      expect(await ground.found(tree, 'hide')).to.deep.equal(['cfg/private']);
      const later = ground.tree({ places: ground.newPlaces() });
      expect(await ground.found(later, 'hide')).to.deep.equal(['cfg/private']);
      // A new folder in the old place is another one, and both are hidden.
      ground.put('config/private/y.txt');
      expect(await ground.found(later, 'hide')).to.deep.equal(['cfg/private', 'config/private']);
    });

    it('goes as deep as paths can, and names the folder where they end', async () => {
      const deep = `${'d/'.repeat(300)}app`;
      ground.put(`${deep}/.env`);
      const tree = ground.tree();
      expect(await ground.found(tree, 'hide')).to.deep.equal([`${deep}/.env`]);
      const name = 'n'.repeat(200);
      ground.folder(`first/${`${name}/`.repeat(12)}`);
      ground.put(`second/${`${name}/`.repeat(12)}.env`);
      renameSync(join(ground.root, 'second'), join(ground.root, `first/${`${name}/`.repeat(12)}second`));
      const problem = await ground.problem(tree);
      expect(problem?.kind).to.equal('path');
      expect(problem?.folder).to.match(/first\/n+/);
      execFileSync('rm', ['-rf', join(ground.root, 'first')]);
      expect(await ground.found(tree, 'hide')).to.deep.equal([`${deep}/.env`]);
    });

    it('says where a tree becomes too large, and finds everything once it is smaller', async () => {
      ground.put('app/.env');
      for (let index = 0; index < 40; index += 1) ground.put(`many/${index}`);
      const tree = ground.tree({ maxEntries: 20 });
      expect(await ground.problem(tree)).to.deep.include({ kind: 'entries' });
      rmSync(join(ground.root, 'many'), { recursive: true });
      expect(await ground.found(tree, 'hide')).to.deep.equal(['app/.env']);
    });

    it('follows no link, and sees one that was exchanged', async () => {
      ground.folder('elsewhere');
      ground.put('elsewhere/.env');
      symlinkSync('elsewhere', join(ground.root, 'link'));
      symlinkSync('README.md', join(ground.root, 'CLAUDE.md'));
      const tree = ground.tree();
      expect(await ground.found(tree, 'hide')).to.deep.equal(['elsewhere/.env']);
      const { nextNews } = tree.matches;
      unlinkSync(join(ground.root, 'CLAUDE.md'));
      ground.put('CLAUDE.md');
      await tree.refresh();
      const [piece] = tree.matches.newsSince(nextNews);
      expect(piece?.before?.isLink).to.equal(true);
    });

    it('refuses a secret below a name that no mount can be asked for', async () => {
      ground.put('app/.env');
      const odd = Buffer.concat([Buffer.from(`${ground.root}/`), Buffer.from([0xff, 0xfe])]);
      mkdirSync(odd);
      const tree = ground.tree();
      expect(await ground.problem(tree)).to.equal(undefined);
      renameSync(join(ground.root, 'app'), Buffer.concat([odd, Buffer.from('/app')]));
      expect(await ground.problem(tree)).to.deep.equal({ kind: 'name', folder: ground.root });
    });
  });
}

describe('WatchedTree', () => {
  let ground: TreeGround;

  beforeEach(() => {
    ground = new TreeGround();
  });
  afterEach(() => ground.remove());

  it('reads only what changed', async () => {
    for (let index = 0; index < 50; index += 1) ground.put(`folders/${index}/file`);
    let asked = 0;
    const plain = ground.tree();
    const { concerns } = plain.rules;
    const rules = {
      ...plain.rules,
      concerns: (folder: string) => {
        asked += 1;
        return concerns(folder);
      },
    };
    const tree = ground.tree({ rules });
    await tree.refresh();
    expect(asked).to.equal(52);
    await tree.refresh();
    expect(asked).to.equal(52);
    ground.put('folders/7/new/.env');
    expect(await ground.found(tree, 'hide')).to.deep.equal(['folders/7/new/.env']);
    expect(asked).to.equal(53);
  });

  it('looks through everything again where events may have been lost', async () => {
    const lossy = new (class extends ChangeTracker {
      lost = 0;
      override get losses(): number {
        return this.lost;
      }
      // Tells nothing at all.
      override watch(path: string) {
        return super.watch(path, () => undefined);
      }
    })(join(ground.state, 'lossy'));
    const tree = ground.tree({ tracker: lossy });
    await tree.refresh();
    ground.put('app/.env');
    expect(await ground.found(tree, 'hide')).to.deep.equal([]);
    lossy.lost += 1;
    expect(await ground.found(tree, 'hide')).to.deep.equal(['app/.env']);
    await tree.close();
    lossy.close();
  });

  it('is not held up by a program that makes folders without end, and refuses secrets on the move', async () => {
    ground.put('app/.env');
    let round = 0;
    let step = () => void ground.folder(`made/${round}`);
    const busy = new (class extends ChangeTracker {
      override async drain(): Promise<void> {
        round += 1;
        step();
        await super.drain();
      }
    })(join(ground.state, 'busy'));
    const tree = ground.tree({ tracker: busy });
    expect(await ground.problem(tree)).to.equal(undefined);
    step = () => {
      // Always where it is not looked for just now.
      const [from, to] = round % 2 === 0 ? ['a-place', 'app'] : ['app', 'a-place'];
      renameSync(join(ground.root, from), join(ground.root, to));
    };
    round = 0;
    const problem = await ground.problem(tree);
    // Each drain tells of the move before it, so the secret is found after every one of them.
    if (problem !== undefined) expect(problem.kind).to.equal('moving');
    else expect(tree.matches.paths('hide')).to.have.length(1);
    await tree.close();
    busy.close();
  });

  it('hides a folder of its own that it cannot look into', async () => {
    if (process.geteuid?.() === 0) {
      // Root looks into everything; tests/security does this as another user.
      expect(process.geteuid()).to.equal(0);
      return;
    }
    ground.put('shut/.env');
    chmodSync(join(ground.root, 'shut'), 0);
    const tree = ground.tree();
    expect(await ground.found(tree, 'hide')).to.deep.equal(['shut']);
    chmodSync(join(ground.root, 'shut'), 0o700);
    expect(await ground.found(tree, 'hide')).to.deep.equal(['shut/.env']);
  });
});
