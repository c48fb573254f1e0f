import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ProtectedWatch } from '../../../src/infrastructure/command/protected-watch.js';
import {
  findSensitiveFiles,
  type SensitiveRules,
} from '../../../src/infrastructure/command/sensitive-files.js';

const RULES: SensitiveRules = {
  isHidden: () => false,
  isServerFile: (path) => path.endsWith('/castellan.yaml'),
  isFixed: (path) => /\/(CLAUDE\.md|\.vscode|\.github\/workflows)(\/|$)/.test(path),
};

describe('ProtectedWatch', () => {
  let root: string;
  let moment: number;

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-watch-')));
    for (const folder of ['src/deep', 'packages/a', 'node_modules/b', 'closed'])
      mkdirSync(join(root, folder), { recursive: true });
    mkdirSync(join(root, 'packages/a/.git'));
  });

  afterEach(() => rmSync(root, { recursive: true, force: true }));

  async function watching(): Promise<() => Promise<readonly string[]>> {
    const watch = new ProtectedWatch(await findSensitiveFiles([root], RULES), RULES);
    moment = Date.now();
    return async () => {
      const paths = await watch.appearedSince(moment, (folder) => !folder.startsWith(join(root, 'closed')));
      return paths.map((path) => path.slice(root.length + 1)).sort();
    };
  }

  it('tells of repositories and protected files that come into being, at any depth, once', async () => {
    const appeared = await watching();
    expect(await appeared()).to.deep.equal([]);
    mkdirSync(join(root, '.git'));
    mkdirSync(join(root, 'src/deep/new/repo/.git'), { recursive: true });
    writeFileSync(join(root, 'packages/CLAUDE.md'), 'obey');
    mkdirSync(join(root, 'packages/a/.github/workflows'), { recursive: true });
    writeFileSync(join(root, 'castellan.yaml'), 'a: 1');
    expect(await appeared()).to.deep.equal([
      '.git',
      'castellan.yaml',
      'packages/CLAUDE.md',
      'packages/a/.github/workflows',
      'src/deep/new/repo/.git',
    ]);
    expect(await appeared()).to.deep.equal([]);
    mkdirSync(join(root, 'src/deep/new/.vscode'));
    expect(await appeared()).to.deep.equal(['src/deep/new/.vscode']);
  });

  it('is not deceived by a folder whose time was set back', async () => {
    const appeared = await watching();
    mkdirSync(join(root, 'src/.git'));
    utimesSync(join(root, 'src'), 1, 1);
    expect(await appeared()).to.deep.equal(['src/.git']);
  });

  it('leaves alone what was there, what nobody could write and what packages bring', async () => {
    symlinkSync('README.md', join(root, 'CLAUDE.md'));
    const appeared = await watching();
    writeFileSync(join(root, 'a'), '');
    mkdirSync(join(root, 'packages/a/.git/refs'));
    mkdirSync(join(root, 'closed/.git'));
    mkdirSync(join(root, 'node_modules/b/.vscode'));
    mkdirSync(join(root, 'src/node_modules/c/.vscode'), { recursive: true });
    expect(await appeared()).to.deep.equal([]);
  });

  it('tells of a link that was exchanged, which nothing could be mounted on', async () => {
    symlinkSync('README.md', join(root, 'CLAUDE.md'));
    const appeared = await watching();
    unlinkSync(join(root, 'CLAUDE.md'));
    writeFileSync(join(root, 'CLAUDE.md'), 'obey');
    expect(await appeared()).to.deep.equal(['CLAUDE.md']);
  });
});
