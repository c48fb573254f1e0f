import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { ProgramResolver } from '../../../../src/infrastructure/command/program/program-resolver.js';
import { findToolchains } from '../../../../src/infrastructure/command/program/toolchains.js';

describe('ProgramResolver', () => {
  let root: string;

  before(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-programs-')));
    for (const folder of ['workspace', 'tools/bin', 'empty'])
      mkdirSync(join(root, folder), { recursive: true });
    for (const path of ['workspace/ls', 'tools/bin/tool']) {
      writeFileSync(join(root, path), '#!/bin/sh\n');
      chmodSync(join(root, path), 0o755);
    }
    writeFileSync(join(root, 'tools/bin/plain'), 'not executable');
    symlinkSync(join(root, 'workspace/ls'), join(root, 'tools/bin/linked'));
  });

  after(() => rmSync(root, { recursive: true, force: true }));

  const resolver = (path: string): ProgramResolver =>
    new ProgramResolver(path, [join(root, 'tools')], [join(root, 'workspace')]);

  it('finds a system program on the given PATH and trusts it', () => {
    const found = resolver('/usr/bin:/bin').resolve('ls', '/');
    expect(found).to.include({ trusted: true });
    expect(found?.path).to.match(/^\/(usr\/)?bin\/ls$/);
  });

  it('ignores empty and relative entries, which mean the folder of the caller', () => {
    const cwd = join(root, 'workspace');
    expect(resolver(':.:workspace:').resolve('ls', cwd)).to.equal(undefined);
  });

  it('does not trust a look-alike that the caller can write', () => {
    const found = resolver(`${root}/workspace:/usr/bin`).resolve('ls', '/');
    expect(found).to.include({ path: join(root, 'workspace/ls'), trusted: false });
  });

  it('trusts a toolchain, and not a link from there to what the caller can write', () => {
    expect(resolver(`${root}/tools/bin`).resolve('tool', '/')).to.include({ trusted: true });
    expect(resolver(`${root}/tools/bin`).resolve('linked', '/')).to.include({ trusted: false });
  });

  it('takes a name with a slash as a path from the folder of the call', () => {
    expect(resolver('').resolve('./ls', join(root, 'workspace'))).to.include({ trusted: false });
    expect(resolver('').resolve('/usr/bin/env', '/')).to.include({ trusted: true });
  });

  it('finds neither folders nor files that cannot be executed, nor nonsense', () => {
    const programs = resolver(`${root}:${root}/tools/bin`);
    for (const name of ['plain', 'workspace', 'absent', '', 'a\0b', 'x'.repeat(5000)])
      expect(programs.resolve(name, '/')).to.equal(undefined);
  });
});

describe('findToolchains', () => {
  let home: string;

  before(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-home-')));
    for (const folder of ['.cargo/bin', '.rustup', '.nvm/versions/node/v20/bin', '.local/bin', 'bin', '.ssh'])
      mkdirSync(join(home, folder), { recursive: true });
  });

  after(() => rmSync(home, { recursive: true, force: true }));

  const find = (...entries: string[]) =>
    findToolchains(
      entries.map((entry) => (entry.startsWith('/') ? entry : join(home, entry))).join(':'),
      home,
    );

  it('shows what a known toolchain needs and tells it where it is', async () => {
    const found = await find('.cargo/bin', '/usr/bin', '.nvm/versions/node/v20/bin/');
    expect(found.read).to.have.members(
      ['.cargo/bin', '.rustup', '.nvm/versions'].map((path) => join(home, path)),
    );
    expect(found.environment).to.deep.equal({ RUSTUP_HOME: join(home, '.rustup') });
  });

  it('never shows the home folder for the sake of a bin folder in it', async () => {
    const found = await find('bin', '.local/bin', 'absent/bin');
    expect(found.read).to.have.members([join(home, 'bin'), join(home, '.local/bin')]);
  });

  describe('for a folder that it does not know', () => {
    let around: string;

    before(() => {
      around = join(home, 'opt/tools');
      for (const folder of ['bin', 'lib', 'share', 'src', 'apps/one', '.cache'])
        mkdirSync(join(around, folder), { recursive: true });
      writeFileSync(join(around, 'apps/one/program'), '');
      symlinkSync('../apps/one/program', join(around, 'bin/program'));
      writeFileSync(join(around, 'bin/.env'), 'SECRET');
      writeFileSync(join(around, 'bin/cacert.pem'), 'public');
      writeFileSync(join(around, 'pyvenv.cfg'), '');
    });

    it('shows programs, libraries and data, what programs are links to, and no secret', async () => {
      const found = await find('opt/tools/bin');
      const expected = ['bin', 'lib', 'share', 'pyvenv.cfg', 'apps/one'].map((name) => join(around, name));
      expect(found.read).to.have.members(expected);
      expect(found.hide).to.deep.equal([join(around, 'bin/.env')]);
    });

    for (const sign of ['.git', '.env', '.env.local', 'package.json', 'pyproject.toml']) {
      it(`shows the programs alone beside ${sign}`, async () => {
        writeFileSync(join(around, sign), '');
        const found = await find('opt/tools/bin');
        rmSync(join(around, sign));
        expect(found.read).to.deep.equal([join(around, 'bin')]);
      });
    }

    it('shows what Go needs of its own tree', async () => {
      mkdirSync(join(around, 'pkg/tool'), { recursive: true });
      const found = await find('opt/tools/bin');
      rmSync(join(around, 'pkg'), { recursive: true });
      expect(found.read).to.include.members(['src', 'pkg'].map((name) => join(around, name)));
    });
  });

  it('ignores what the system has already and what is no absolute path', async () => {
    expect((await findToolchains('/usr/bin:/bin::.:relative/bin', home)).read).to.deep.equal([]);
  });
});
