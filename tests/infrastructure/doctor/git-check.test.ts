import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { GitCheck } from '../../../src/infrastructure/doctor/git-check.js';

describe('GitCheck', () => {
  let folder: string;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-git-check-')));
    execFileSync('git', ['init', '-q', folder]);
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const status = async (platform: NodeJS.Platform = 'linux'): Promise<string> => {
    const { status: found, detail } = await new GitCheck(folder, platform).run();
    return `${found}: ${detail}`;
  };

  it('is well with a repository, and with none', async () => {
    expect(await status()).to.match(/^ok/);
    rmSync(join(folder, '.git'), { recursive: true });
    expect(await status()).to.match(/^ok/);
  });

  it('says why commands cannot commit', async () => {
    expect(await status('darwin')).to.match(/^warn: .*cannot commit/);
    renameSync(join(folder, '.git/objects'), join(folder, 'elsewhere'));
    symlinkSync('../elsewhere', join(folder, '.git/objects'));
    expect(await status()).to.match(/^warn: .*links in the place of its parts/);
    rmSync(join(folder, '.git'), { recursive: true });
    writeFileSync(join(folder, '.git'), 'gitdir: /nowhere\n');
    expect(await status()).to.match(/^warn: .*leads to no git folder/);
  });

  it('tells of commits that gave way', async () => {
    mkdirSync(join(folder, '.git/refs/airlock/heads'), { recursive: true });
    expect(await status()).to.match(/^warn: .*refs\/airlock/);
  });
});
