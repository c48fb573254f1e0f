import { expect } from 'chai';
import { describe, it } from 'mocha';
import { builtinTools } from '../../../../src/presentation/tools/builtin-tools.js';

describe('The file tools', () => {
  it('S4-06: are those of the category file, the four of the seed among them', () => {
    const names = builtinTools.filter(({ category }) => category === 'file').map(({ name }) => name);
    expect(names).to.include.members(['read_file', 'write_file', 'list_directory', 'search_files']);
    expect(names.length).to.equal(12);
  });
});
