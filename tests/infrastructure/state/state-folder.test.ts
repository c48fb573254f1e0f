import { chmod, chown, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openStateFolder, resolveStateFolder } from '../../../src/infrastructure/state/state-folder.js';

describe('The state folder', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'castellan-state-'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('is under XDG_STATE_HOME, else under the home folder; relative values do not count', () => {
    const resolved = (environment: Record<string, string>) => {
      const folder = resolveStateFolder(environment);
      return folder.success ? folder.value : folder.errorType;
    };
    expect(resolved({ XDG_STATE_HOME: '/s', HOME: '/h' })).to.equal('/s/castellan');
    expect(resolved({ XDG_STATE_HOME: 'relative', HOME: '/h' })).to.equal('/h/.local/state/castellan');
    expect(resolved({ HOME: '/h' })).to.equal('/h/.local/state/castellan');
    expect(resolved({ HOME: '' })).to.equal('StateFolderUnavailable');
    expect(resolved({})).to.equal('StateFolderUnavailable');
  });

  for (const base of ['/proc', '/proc/1', '/sys/x', '/tmp/../proc/x']) {
    it(`is refused in ${base}, where making a folder would never end`, () => {
      const folder = resolveStateFolder({ XDG_STATE_HOME: base, HOME: '/h' });
      expect(!folder.success && folder.error).to.match(/kernel.*set XDG_STATE_HOME/);
    });
  }

  it('is made for this user alone, and closed where others could enter', async () => {
    const folder = join(root, 'a', 'castellan');
    expect((await openStateFolder(folder)).success).to.equal(true);
    expect((await stat(folder)).mode & 0o777).to.equal(0o700);
    await chmod(folder, 0o777);
    expect((await openStateFolder(folder)).success).to.equal(true);
    expect((await stat(folder)).mode & 0o777).to.equal(0o700);
  });

  it('is refused where it is a file or a link', async () => {
    await writeFile(join(root, 'file'), '');
    expect((await openStateFolder(join(root, 'file'))).success).to.equal(false);
    await mkdir(join(root, 'real'));
    await symlink(join(root, 'real'), join(root, 'link'));
    expect((await openStateFolder(join(root, 'link'))).success).to.equal(false);
  });

  it('is refused where it belongs to somebody else', async () => {
    const folder = join(root, 'theirs');
    await mkdir(folder);
    // Only root can give a folder away; anybody else has folders of root's to look at.
    const theirs = process.getuid?.() === 0 ? await chown(folder, 12345, 12345).then(() => folder) : '/usr';
    const refused = await openStateFolder(theirs);
    expect(!refused.success && refused.error).to.include('belongs to another user');
  });
});
