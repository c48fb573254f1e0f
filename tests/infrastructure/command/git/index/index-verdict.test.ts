import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { judgeIndex } from '../../../../../src/infrastructure/command/git/index/index-verdict.js';
import { MODE } from '../../../../../src/infrastructure/command/git/index/tracked-path.js';
import { type MadeEntry, madeExtension, madeIndex, sealed } from '../../../../support/made-index.js';

describe('Verdicts on an index', function () {
  this.timeout(60_000);
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-index-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function git(...args: readonly string[]): string {
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
    return execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' });
  }

  function repository(...options: readonly string[]): void {
    git('init', '-q', ...options);
    mkdirSync(join(folder, 'src/deep'), { recursive: true });
    for (let number = 0; number < 40; number += 1)
      writeFileSync(join(folder, `src/deep/file-${number}.ts`), `${number}\n`);
    writeFileSync(join(folder, '.gitignore'), 'dist\n');
    symlinkSync('src', join(folder, 'link'));
    git('add', '.');
  }

  const bytes = (name = 'index'): Buffer => readFileSync(join(folder, '.git', name));

  describe('of git itself are sound', () => {
    for (const version of ['2', '3', '4']) {
      it(`in version ${version}`, () => {
        repository();
        git('update-index', '--index-version', version);
        git('update-index', '--skip-worktree', '.gitignore');
        expect(judgeIndex(bytes(), 'sha1')).to.include({ kind: 'sound', entries: 42 });
      });
    }

    it('with names of SHA-256', () => {
      repository('--object-format=sha256');
      expect(judgeIndex(bytes(), 'sha256')).to.include({ kind: 'sound', entries: 42 });
    });

    for (const version of ['2', '4']) {
      it(`with a table for several threads, in version ${version}`, () => {
        repository();
        git('config', 'index.threads', '4');
        git('config', 'index.recordOffsetTable', 'true');
        git('config', 'index.recordEndOfIndexEntries', 'true');
        git('update-index', '--index-version', version, '--force-write-index');
        expect(bytes().includes('IEOT')).to.equal(true);
        expect(judgeIndex(bytes(), 'sha1')).to.include({ kind: 'sound', entries: 42 });
      });
    }

    it('split in two, where the shared one is named', () => {
      repository();
      git('update-index', '--split-index');
      writeFileSync(join(folder, 'src/deep/file-1.ts'), 'changed\n');
      git('add', 'src/deep/file-1.ts');
      const verdict = judgeIndex(bytes(), 'sha1');
      const shared = readdirSync(join(folder, '.git')).find((name) => name.startsWith('sharedindex.')) ?? '';
      expect(verdict).to.include({ kind: 'sound', shared: shared.slice('sharedindex.'.length) });
      expect(judgeIndex(bytes(shared), 'sha1')).to.include({ kind: 'sound', entries: 42 });
    });

    it('sparse, with whole folders', () => {
      repository();
      git('commit', '-qm', 'one');
      git('sparse-checkout', 'set', '--cone', '--sparse-index', 'nothing');
      expect(bytes().includes('sdir')).to.equal(true);
      expect(judgeIndex(bytes(), 'sha1')).to.include({ kind: 'sound' });
    });

    it('in a conflict between a file and a folder, and with another repository', () => {
      const verdict = judgeIndex(
        madeIndex([
          { path: 'a', stage: 2, mode: MODE.link },
          { path: 'a/b', stage: 3 },
          { path: 'module', mode: MODE.repository },
        ]),
        'sha1',
      );
      expect(verdict).to.deep.include({ kind: 'sound', repositories: ['module'] });
    });
  });

  describe('of others are strange', () => {
    const ENTRIES: readonly (readonly [what: string, entries: readonly MadeEntry[]])[] = [
      ['a hook', [{ path: '.git/hooks/post-checkout', mode: MODE.program }]],
      ['a configuration in capital letters', [{ path: '.GIT/config' }]],
      ['a hook of a module', [{ path: 'module/.git/hooks/pre-commit', mode: MODE.program }]],
      ['a file outside', [{ path: '../../.bashrc' }]],
      ['an absolute file', [{ path: '/etc/profile.d/x.sh' }]],
      [
        'a path through a link',
        [{ path: 'a', mode: MODE.link }, { path: 'a-b' }, { path: 'a/post-checkout' }],
      ],
      ['a path through a link of another case', [{ path: 'A', mode: MODE.link }, { path: 'a/b/c' }]],
      ['a file in another repository', [{ path: 'm', mode: MODE.repository }, { path: 'm/hooks/x' }]],
      ['an unknown kind', [{ path: 'a', mode: 0o104755 }]],
      ['a device', [{ path: 'a', mode: 0o020644 }]],
      ['a folder without its slash', [{ path: '.git', mode: MODE.folder }]],
      ['a link for the list of modules', [{ path: '.gitmodules', mode: MODE.link }]],
    ];
    for (const [what, entries] of ENTRIES) {
      it(`with ${what}`, () => {
        const all = [{ path: 'zzz.txt' }, { path: '0.txt' }, ...entries];
        expect(judgeIndex(madeIndex(all), 'sha1').kind).to.equal('strange');
      });
    }

    it('and name the entry', () => {
      expect(judgeIndex(madeIndex([{ path: '.git/config' }]), 'sha1')).to.deep.equal({
        kind: 'strange',
        why: 'has the entry ".git/config"',
      });
    });

    it('with an entry hidden from one of several threads', () => {
      const plain = madeIndex([{ path: 'a' }]).subarray(0, -20);
      const table = Buffer.alloc(12);
      table.writeUInt32BE(1, 0);
      table.writeUInt32BE(plain.length + 8, 4);
      table.writeUInt32BE(1, 8);
      const hidden = madeExtension('XTRA', madeIndex([{ path: '.git/hooks/x' }]).subarray(12, -20));
      const crafted = sealed(Buffer.concat([plain, hidden, madeExtension('IEOT', table)]));
      expect(judgeIndex(crafted, 'sha1').kind).to.equal('strange');
    });

    it('where the end of the entries is told wrongly', () => {
      const end = Buffer.alloc(24);
      end.writeUInt32BE(12, 0);
      expect(judgeIndex(madeIndex([{ path: 'a' }], [madeExtension('EOIE', end)]), 'sha1').kind).to.equal(
        'strange',
      );
    });

    it('with a part that git must know and does not', () => {
      const index = madeIndex([{ path: 'a' }], [madeExtension('evil', Buffer.alloc(4))]);
      expect(judgeIndex(index, 'sha1').kind).to.equal('strange');
    });

    it('with a name that ends before its length', () => {
      const index = madeIndex([{ path: 'a\0/.git/x' }]);
      expect(judgeIndex(index, 'sha1').kind).to.equal('strange');
    });
  });

  it('never fail, whatever is cut off or changed', () => {
    repository();
    git('update-index', '--index-version', '4');
    for (const whole of [bytes(), madeIndex([{ path: 'a' }, { path: 'b/c' }])]) {
      for (let length = 0; length < whole.length; length += 7)
        expect(judgeIndex(whole.subarray(0, length), 'sha1')).to.have.property('kind');
      for (let at = 0; at < Math.min(whole.length, 3_000); at += 3) {
        const changed = Buffer.from(whole);
        changed[at] = (changed[at] ?? 0) ^ 0xff;
        expect(judgeIndex(changed, 'sha1')).to.have.property('kind');
      }
    }
  });
});
