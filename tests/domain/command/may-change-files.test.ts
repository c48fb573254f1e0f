import { expect } from 'chai';
import { before, describe, it } from 'mocha';
import type { CommandParser } from '../../../src/application/ports/command/command-parser.js';
import { mayChangeFiles } from '../../../src/domain/command/may-change-files.js';
import { loadShellParser } from '../../../src/infrastructure/shell/shell-parser.js';

describe('What may change files', () => {
  let parser: CommandParser;

  before(async () => {
    parser = await loadShellParser();
  });

  function judge(line: string): boolean {
    const plan = parser.parse(line, 'static');
    if (!plan.success) throw new Error(plan.error.message);
    return mayChangeFiles(plan.value.tree);
  }

  it('is not what only reads', () => {
    for (const line of [
      'ls',
      'ls src | grep x',
      'cat a; grep b c',
      'find . -name x',
      '(ls) 2>/dev/null',
      'cd src',
    ])
      expect(judge(line), line).to.equal(false);
  });

  it('is everything else', () => {
    for (const line of [
      'touch x',
      'rm x',
      'ls > x',
      'npm test',
      'find . -delete',
      'git checkout x',
      'sort -o x y',
      'ls | xargs rm',
      '(ls; mkdir a)',
      './x',
    ])
      expect(judge(line), line).to.equal(true);
  });
});
