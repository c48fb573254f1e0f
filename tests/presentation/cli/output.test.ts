import { expect } from 'chai';
import { describe, it } from 'mocha';
import { columns } from '../../../src/presentation/cli/output.js';

describe('columns', () => {
  it('makes each column as wide as its widest cell, without trailing blanks', () => {
    expect(
      columns([
        ['a', 'bb', 'c'],
        ['aaa', 'b', ''],
      ]),
    ).to.equal('a    bb  c\naaa  b');
    expect(columns([])).to.equal('');
  });
});
