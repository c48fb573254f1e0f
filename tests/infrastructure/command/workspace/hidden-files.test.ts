import { unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { HiddenFiles } from '../../../../src/infrastructure/command/workspace/hidden-files.js';
import type { SensitiveRules } from '../../../../src/infrastructure/command/workspace/sensitive-rules.js';
import type { TrackedFiles } from '../../../../src/infrastructure/command/workspace/tracked-files.js';
import type { WatchedTree } from '../../../../src/infrastructure/command/workspace/watched-tree.js';
import { sampleRules, TreeGround } from '../../../support/tree-ground.js';

describe('HiddenFiles', () => {
  let ground: TreeGround;
  let judged: number;
  let asked: (readonly string[])[];
  let stored: Set<string>;
  let tree: WatchedTree;
  let files: HiddenFiles;

  beforeEach(() => {
    ground = new TreeGround();
    judged = 0;
    asked = [];
    stored = new Set();
    const rules = sampleRules(ground.root);
    const isHidden: SensitiveRules['isHidden'] = (path) => {
      judged += 1;
      return rules.isHidden(path);
    };
    tree = ground.tree({ rules: { ...rules, isHidden } });
    const tracked: TrackedFiles = {
      open: async (paths) => {
        asked.push(ground.relative(paths));
        return new Set(paths.filter((path) => stored.has(path)));
      },
      isStored: async () => false,
      leftBy: () => undefined,
    };
    files = new HiddenFiles(tree, tracked);
  });
  afterEach(() => ground.remove());

  async function look() {
    const problem = await tree.refresh();
    expect(problem).to.equal(undefined);
    const folders = { read: [], write: [ground.root] };
    const open = await files.open(folders);
    const hidden = files.hidden(open);
    return { open, hidden, pinned: files.pinned(hidden, folders.write) };
  }

  it('judges no path again while nothing changes, however many are hidden', async () => {
    for (let index = 0; index < 50; index += 1) ground.put(`app${index}/.env`);
    ground.put('config/private');
    const first = await look();
    expect(first.hidden).to.have.length(51);
    expect(ground.relative(first.pinned)).to.deep.equal(['config']);
    judged = 0;
    const second = await look();
    expect(judged).to.equal(0);
    expect(second.hidden).to.equal(first.hidden);
    expect(second.pinned).to.equal(first.pinned);
  });

  it('finds what came and what went', async () => {
    const gone = ground.put('a/.env');
    await look();
    ground.put('b/.env');
    expect(ground.relative((await look()).hidden)).to.deep.equal(['a/.env', 'b/.env']);
    unlinkSync(gone);
    expect(ground.relative((await look()).hidden)).to.deep.equal(['b/.env']);
  });

  it('asks no repository where there is none', async () => {
    ground.put('a/.env');
    await look();
    expect(asked).to.deep.equal([]);
  });

  it('asks again about what is open alone, and about everything after a change or the end of a command', async () => {
    ground.folder('.git');
    const [open, closed] = [ground.put('open/.env'), ground.put('closed/.env')];
    stored.add(open);
    const first = await look();
    expect(ground.relative(first.hidden)).to.deep.equal(['closed/.env']);
    expect((await look()).open).to.equal(first.open);
    expect(asked.splice(0)).to.deep.equal([['closed/.env', 'open/.env'], ['open/.env']]);
    writeFileSync(closed, 'as in HEAD');
    stored.add(closed);
    expect((await look()).hidden).to.deep.equal([]);
    stored.delete(open);
    expect((await look()).hidden).to.deep.equal([open]);
    asked = [];
    files.leftBy([join(ground.root, 'open/.env')]);
    await look();
    expect(asked).to.deep.equal([['closed/.env', 'open/.env']]);
  });
});
