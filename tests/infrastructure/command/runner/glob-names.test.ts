import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { globNames } from '../../../../src/infrastructure/command/runner/glob-names.js';

const FILES = [
  'a.txt',
  'b.txt',
  '.hidden',
  '-dash',
  'a b',
  'é.txt',
  '[x]',
  'sub/one.js',
  'sub/two.js',
  'sub/deep/x.js',
  'other/one.js',
];
const PATTERNS = [
  '*',
  '*.txt',
  '?.txt',
  '[ab].txt',
  '[!a].txt',
  '[a-b]*',
  '.*',
  '.h*',
  'sub/*',
  '*/one.js',
  '*/*',
  '*/',
  'sub/*/x.js',
  '**/*.js',
  's*b/t*',
  'nothing*',
  './*',
  '../*/a.txt',
  'a\\ *',
  '\\[*',

  './sub/*',
  'link/*',
];

describe('Expanding patterns', () => {
  let root: string;
  let folder: string;

  before(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-glob-')));
    folder = join(root, 'inside');
    for (const name of ['inside/sub/deep', 'inside/other', 'outside'])
      mkdirSync(join(root, name), { recursive: true });
    for (const name of FILES) writeFileSync(join(folder, name), '');
    writeFileSync(join(root, 'outside/secret'), '');
    symlinkSync('../outside', join(folder, 'away'));
    symlinkSync('sub', join(folder, 'link'));
  });

  after(() => rmSync(root, { recursive: true, force: true }));

  for (const pattern of PATTERNS) {
    it(`gives for ${pattern} what bash gives`, () => {
      const everything = { isOpen: () => true, isHidden: () => false };
      const names = globNames(pattern, folder, everything) ?? [];
      const plain = spawnSync('bash', ['--norc', '-c', `shopt -s nullglob; printf '%s\\n' ${pattern}`], {
        cwd: folder,
        env: { LC_ALL: 'C.UTF-8' },
        encoding: 'utf8',
      });
      const dots = (list: readonly string[]) =>
        list.filter((name) => name !== '' && !/(^|\/)\.\.?$/.test(name));
      expect([...dots(names)].sort()).to.deep.equal([...dots(plain.stdout.split('\n'))].sort());
    });
  }

  it('shows nothing of a folder that is not open, not even through a link', () => {
    const view = { isOpen: (path: string) => path.startsWith(folder), isHidden: () => false };
    expect(globNames('away/*', folder, view)).to.deep.equal([]);
    expect(globNames('../*', folder, view)).to.deep.equal([]);
    expect(globNames('/*', folder, view)).to.deep.equal([]);
  });

  it('leaves out what is hidden', () => {
    const view = { isOpen: () => true, isHidden: (path: string) => path.endsWith('b.txt') };
    expect(globNames('*.txt', folder, view)).to.deep.equal(['a.txt', 'é.txt']);
  });

  it('leaves to a shell what only a shell knows', () => {
    const view = { isOpen: () => true, isHidden: () => false };
    expect(globNames('[[:alpha:]].txt', folder, view)).to.equal(undefined);
  });
});
