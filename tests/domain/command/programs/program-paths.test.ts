import { expect } from 'chai';
import { describe, it } from 'mocha';
import { wordText } from '../../../../src/domain/command/command-plan.js';
import { pathsOf } from '../../../../src/domain/command/programs/program-paths.js';
import { call } from '../../../support/words.js';

const TABLE: readonly (readonly [line: string, read: string, write: string])[] = [
  ['cat a b', 'a b', ''],
  ['cat -n -', '', ''],
  ['/bin/cat a', 'a', ''],
  ['ls', '.', ''],
  ['ls -I x src', 'src', ''],
  ['grep foo a b', 'a b', ''],
  ['grep -e foo a', 'a', ''],
  ['grep -r foo', '.', ''],
  ['grep foo', '', ''],
  ['rg foo', '.', ''],
  ['rg foo src', 'src', ''],
  ['rg --files src', 'src', ''],
  ['find', '.', ''],
  ['find src tests -name x', 'src tests', ''],
  ['find -L src -type f', 'src', ''],
  ['find -name x', '.', ''],
  ['sed p a', 'a', ''],
  ['sed -e p a', 'a', ''],
  ['jq . a', 'a', ''],
  ['touch a b', '', 'a b'],
  ['tee -a a', '', 'a'],
  ['mkdir -p a', '', 'a'],
  ['rm -rf a', '', 'a'],
  ['cp a b c', 'a b', 'c'],
  ['mv a b', '', 'a b'],
  ['uniq a b', 'a', 'b'],
  ['sort -k2 a', 'a', ''],
  ['tar -tf a.tar', 'a.tar', ''],
  ['tar tf a.tar member', 'a.tar', ''],
  ['tar -tfa.tar', 'a.tar', ''],
  ['git -C sub log', 'sub', ''],
  ['git log -C sub', '', ''],
  ['echo a', '', ''],
  ['test -f a', 'a', ''],
];

describe('pathsOf', () => {
  for (const [line, read, write] of TABLE) {
    it(`tells which files ${line} reads and writes`, () => {
      const paths = pathsOf(call(line));
      expect(paths?.read.map(wordText).join(' ')).to.equal(read);
      expect(paths?.write.map(wordText).join(' ')).to.equal(write);
    });
  }

  it('keeps patterns as patterns', () => {
    expect(pathsOf(call('cp a glob:*'))).to.deep.equal({
      read: [
        { kind: 'literal', text: 'a' },
        { kind: 'glob', pattern: '*' },
      ],
      write: [{ kind: 'glob', pattern: '*' }],
    });
  });

  it('knows nothing about an unknown program or unknown options', () => {
    expect(pathsOf(call('frobnicate a'))).to.equal(undefined);
    expect(pathsOf(call('sort -o f a'))).to.equal(undefined);
  });
});
