import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { IgnoreRules } from '../../../src/domain/file/ignore-rules.js';
import { TemporaryDisk } from '../../support/temporary-disk.js';

const RULES = [
  '# comment',
  '',
  '*.log',
  '!keep.log',
  '/root-only',
  'build/',
  'docs/*.txt',
  '**/deep/x',
  'a/**/b',
  'inside/**',
  '\\#hash',
  '\\!bang',
  'trailing   ',
  'cla[st]s?.js',
  'brace{a,b}',
  'x/y/',
].join('\n');

const PATHS = [
  'a.log',
  'sub/b.log',
  'keep.log',
  'sub/keep.log',
  'root-only',
  'sub/root-only',
  'build',
  'docs/a.txt',
  'docs/sub/a.txt',
  'deep/x',
  'q/deep/x',
  'a/b',
  'a/q/r/b',
  'a/c',
  'inside/f',
  'inside/g/h',
  '#hash',
  '!bang',
  'trailing',
  'classy.js',
  'clatsy.js',
  'clasy.js',
  'brace{a,b}',
  'bracea',
  'x/y',
  'other',
  'sub/x/y',
];

describe('IgnoreRules', () => {
  it('agrees with git check-ignore', () => {
    const disk = new TemporaryDisk();
    try {
      execFileSync('git', ['init', '-q', disk.root]);
      writeFileSync(join(disk.root, '.gitignore'), RULES);
      const rules = IgnoreRules.parse(RULES);
      for (const path of PATHS) {
        // check-ignore also looks at the folders above, as the walk does by never entering them.
        const names = path.split('/');
        const ours = names.some(
          (_, index) => rules.ignores(names.slice(0, index + 1).join('/'), index < names.length - 1) === true,
        );
        const git =
          spawnSync('git', ['-C', disk.root, 'check-ignore', '-q', '--no-index', path]).status === 0;
        expect(ours, path).to.equal(git);
      }
    } finally {
      disk.dispose();
    }
  });

  it('tells folders from files where a rule ends with a slash', () => {
    const rules = IgnoreRules.parse('build/\n');
    expect(rules.ignores('build', true)).to.equal(true);
    expect(rules.ignores('build', false)).to.equal(undefined);
  });

  it('is not slowed down by hostile rules', () => {
    const rules = IgnoreRules.parse(`${'*a'.repeat(60)}*b\n`.repeat(20));
    expect(rules.ignores('a'.repeat(250), false)).to.equal(undefined);
  });
});
