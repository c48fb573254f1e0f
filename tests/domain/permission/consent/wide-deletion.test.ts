import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { CommandWord } from '../../../../src/domain/command/command-plan.js';
import { wideDeletions } from '../../../../src/domain/permission/consent/wide-deletion.js';

const WORKSPACE = ['/work/project', '/link'];

function deleted(line: string, directory = '/work/project'): readonly string[] {
  const [program = '', ...args] = line.split(' ');
  const words = args.map(
    (text): CommandWord => (/[*?[]/.test(text) ? { kind: 'glob', pattern: text } : { kind: 'literal', text }),
  );
  return wideDeletions({ program, args: words, directory }, WORKSPACE);
}

describe('wideDeletions', () => {
  for (const line of [
    'rm -rf .',
    'rm -r /work',
    'rm -rf /link',
    'rm -rf /link/*',
    'rm -R ?*',
    'find / -delete',
    'find -delete',
    'find . -type f -mindepth 1 -delete',
    'find . -exec rm -rf {} +',
    'find . -exec rm {} ; -print',
    'rm -r -- .',
    'git clean -fdx',
    'git clean --force -x',
  ]) {
    it(`${line} is the workspace`, () => expect(deleted(line)).to.deep.equal(['/work/project']));
  }

  for (const line of ['rm -rf .git', 'rm -rf .g*', 'find .git -delete', 'rm -r sub/../.git']) {
    it(`${line} is its repository`, () => expect(deleted(line)).to.deep.equal(['/work/project/.git']));
  }

  it('a repository below, and its objects, are meant as well', () => {
    expect(deleted('rm -rf vendor/lib/.git')).to.deep.equal(['/work/project/vendor/lib/.git']);
    expect(deleted('rm -rf .git/objects')).to.deep.equal(['/work/project/.git/objects']);
  });

  for (const line of [
    'rm .',
    'rm -f *',
    'rm -rf build',
    'rm -rf build/*',
    'rm -rf *.log',
    'rm -rf .gitignore',
    'rm -rf .github',
    'rm -rf /tmp/x',
    'rm -rf /work/project2',
    'rm -- -rf',
    'rm -- -rf .',
    'find . -type f -name x -delete',
    'find . -print',
    'find . -exec rm {} ; -name x',
    'find . -name x -delete',
    'find . -empty -delete',
    'find . -exec grep x {} ;',
    'find . -exec grep x {} ; -delete -size +1',
    'git clean -fd',
    'git clean -fdx build',
    'git clean -ndx',
    'git rm -rf .',
    'ls -r .',
  ]) {
    it(`${line} is ordinary`, () => expect(deleted(line)).to.deep.equal([]));
  }

  it('is judged in the folder that the program runs in', () => {
    expect(deleted('rm -rf *', '/work/project/build')).to.deep.equal([]);
    expect(deleted('rm -rf ..', '/work/project/build')).to.deep.equal(['/work/project']);
    expect(deleted('git -C .. clean -fdx -e keep', '/work/project/build')).to.deep.equal(['/work/project']);
  });
});
