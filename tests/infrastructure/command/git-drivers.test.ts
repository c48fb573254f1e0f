import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { gitDriverOverrides } from '../../../src/infrastructure/command/git-drivers.js';

describe('Overrides for what repositories would run', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-git-'));
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  it('name every filter, driver and transport, also in included files and in the older spelling', async () => {
    writeFileSync(
      join(folder, 'config'),
      '[filter "a b"]\n\tclean = x\n[ Diff "d" ]\n[diff.old]\n[merge "m"]\n[remote "o"]\n[include]\n\tpath = more\n[includeIf "gitdir:x"] path = "third"\n',
    );
    writeFileSync(join(folder, 'more'), '[filter "inner"]\n');
    writeFileSync(join(folder, 'third'), '[diff]\n\texternal = x\n');
    const keys = (await gitDriverOverrides([join(folder, 'config')])).map(([key]) => key);
    expect(keys).to.include.members([
      'filter.a b.clean',
      'filter.a b.process',
      'diff.d.textconv',
      'diff.old.command',
      'merge.m.driver',
      'remote.o.uploadpack',
      'filter.inner.smudge',
      'diff.external',
    ]);
  });

  it('are none where there is no configuration', async () => {
    expect(await gitDriverOverrides([join(folder, 'absent')])).to.deep.equal([]);
  });
});
