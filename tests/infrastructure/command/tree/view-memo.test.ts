import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { SandboxView } from '../../../../src/application/ports/command/command-sandbox.js';
import { ViewMemo } from '../../../../src/infrastructure/command/tree/view-memo.js';

const FOLDERS = { read: [], write: ['/work'] };
const DOORS: readonly string[] = ['/work/.git/hooks'];

function grounds(version: number) {
  return { folders: FOLDERS, version, open: new Set<string>(), protected: DOORS };
}

function view(...hide: string[]): SandboxView {
  return { ...FOLDERS, hide, readOnlyInside: DOORS };
}

describe('ViewMemo', () => {
  it('makes no view twice from the same grounds', () => {
    const memo = new ViewMemo();
    let made = 0;
    const make = (): SandboxView => {
      made += 1;
      return view('/work/.env');
    };
    expect(memo.recall(grounds(1), make)).to.equal(memo.recall(grounds(1), make));
    expect(made).to.equal(1);
  });

  it('knows a view again that comes back, in whatever order its files were found', () => {
    const memo = new ViewMemo();
    const first = memo.recall(grounds(1), () => view('/work/a/.env', '/work/b/.env'));
    const other = memo.recall(grounds(2), () => view('/work/c/.env'));
    expect(other).not.to.equal(first);
    expect(memo.recall(grounds(3), () => view('/work/b/.env', '/work/a/.env'))).to.equal(first);
  });

  it('takes no view for another one that hides or protects something else', () => {
    const memo = new ViewMemo();
    const first = memo.recall(grounds(1), () => view('/work/a/.env'));
    expect(memo.recall(grounds(2), () => view('/work/a/.env', '/work/b/.env'))).not.to.equal(first);
    const opened = { ...view('/work/a/.env'), readOnlyInside: [] };
    expect(memo.recall(grounds(3), () => opened)).to.equal(opened);
  });
});
