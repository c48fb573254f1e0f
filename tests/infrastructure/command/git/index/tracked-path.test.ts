import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { isTrackable, MODE } from '../../../../../src/infrastructure/command/git/index/tracked-path.js';

const BLOB = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';

const PATHS: readonly (readonly [path: string, mode?: number])[] = [
  ['a.txt'],
  ['src/a.ts'],
  ['.github/workflows/x.yml'],
  ['.gitignore'],
  ['.gitmodules'],
  ['.gitattributes', MODE.link],
  ['git/config'],
  ['git~2/x'],
  ['.gitx/config'],
  ['a\\b'],
  ['a\\.gitx'],
  ['deep/.git.d/x'],
  ['..a'],
  ['...'],
  ['a b.'],
  ['ünïcode/文.txt'],
  ['.git/hooks/post-checkout'],
  ['.git'],
  ['.GIT/config'],
  ['.gIt/config'],
  ['a/.git/hooks/pre-commit'],
  ['a/b/.Git'],
  ['git~1/config'],
  ['GIT~1/hooks/x'],
  ['.git./config'],
  ['.git /config'],
  ['.git . ./config'],
  ['.git::$INDEX_ALLOCATION/config'],
  ['a\\.git\\config'],
  ['a\\git~1'],
  ['.g\u200cit/config'],
  ['\ufeff.git/hooks/x'],
  ['.gi\u202et'],
  ['../outside'],
  ['a/../../outside'],
  ['a/./b'],
  ['./a'],
  ['/etc/passwd'],
  ['a//b'],
  ['a/'],
  ['.gitmodules', MODE.link],
  ['.GITMODULES', MODE.link],
  ['gitmod~1', MODE.link],
  ['gi7eba~1', MODE.link],
  ['.gitmodules . ', MODE.link],
  ['sub/.gitmodules', MODE.link],
];

describe('Paths that git would take into an index', function () {
  this.timeout(60_000);
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-tracked-'));
    execFileSync('git', ['init', '-q', folder]);
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  /** git's own answer, with the checks for every system. */
  function takes(path: string, mode: number): boolean {
    const line = `${mode.toString(8)} ${BLOB} 0\t${path}\0`;
    const args = [
      '-c',
      'core.protectHFS=true',
      '-c',
      'core.protectNTFS=true',
      'update-index',
      '-z',
      '--index-info',
    ];
    rmSync(join(folder, '.git/index'), { force: true });
    execFileSync('git', args, { cwd: folder, input: line, stdio: 'pipe' });
    return execFileSync('git', ['ls-files'], { cwd: folder }).length > 0;
  }

  for (const [path, mode = MODE.file] of PATHS) {
    it(`are those that git says: ${JSON.stringify(path)}${mode === MODE.link ? ' as a link' : ''}`, () => {
      expect(isTrackable(path, mode)).to.equal(takes(path, mode));
    });
  }

  it('are whole folders only with a slash at their end', () => {
    expect(isTrackable('folder/', MODE.folder)).to.equal(true);
    expect(isTrackable('folder', MODE.folder)).to.equal(false);
    expect(isTrackable('.git/', MODE.folder)).to.equal(false);
  });
});
