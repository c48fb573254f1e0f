import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { excludeFromGit } from '../../../src/composition/cli/git-exclude.js';

describe("The repository's list of excluded files", () => {
  let root: string;
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@y', '-C', root, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const write = (path: string): void => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), 'x\n');
  };

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-exclude-')));
  });

  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('gets our files once, and git then works as if they were not there', async () => {
    git('init', '-q');
    write('.gitignore');
    write('a.txt');
    git('add', '-A');
    git('commit', '-qm', 'one');
    for (const path of ['permissions.yaml', 'castellan.yaml', '.castellan/flags.json']) write(path);
    expect(await excludeFromGit(root)).to.contain('/permissions.yaml, /castellan.yaml, /.castellan/ added');
    expect(await excludeFromGit(root)).to.equal(undefined);
    expect(readFileSync(join(root, '.gitignore'), 'utf8')).to.equal('x\n');
    expect(git('status', '--porcelain')).to.equal('');
    git('add', '-A');
    expect(git('diff', '--cached', '--name-only')).to.equal('');
    expect(git('clean', '-fdn')).to.equal('');
    writeFileSync(join(root, 'a.txt'), 'changed\n');
    git('stash', '-u');
    expect(readFileSync(join(root, 'permissions.yaml'), 'utf8')).to.equal('x\n');
  });

  it('names the folder of a workspace below the root, and says what that means for git', async () => {
    git('init', '-q');
    write('packages/one/a.txt');
    const said = await excludeFromGit(join(root, 'packages/one'));
    expect(said)
      .to.contain('/packages/one/permissions.yaml')
      .and.to.contain(`run \`castellan init\` in ${root}`);
    write('packages/one/permissions.yaml');
    expect(git('status', '--porcelain', '-uall')).to.equal('?? packages/one/a.txt\n');
    expect(await excludeFromGit(join(root, 'packages/one'))).to.match(/^This workspace is below/);
  });

  it('of a worktree is that of its repository', async () => {
    git('init', '-q');
    write('a.txt');
    git('add', '-A');
    git('commit', '-qm', 'one');
    git('worktree', 'add', '-q', join(root, 'tree'));
    expect(await excludeFromGit(join(root, 'tree'))).to.contain(join(root, '.git/info/exclude'));
  });

  it('is left alone if there is no repository, and if it is a link to elsewhere', async () => {
    expect(await excludeFromGit(root)).to.equal(undefined);
    git('init', '-q');
    const elsewhere = join(root, 'elsewhere');
    write('elsewhere');
    rmSync(join(root, '.git/info/exclude'));
    symlinkSync(elsewhere, join(root, '.git/info/exclude'));
    expect(await excludeFromGit(root)).to.contain('cannot be used');
    expect(readFileSync(elsewhere, 'utf8')).to.equal('x\n');
  });
});
