import { expect } from 'chai';
import { parseContentExpression } from '../../../../src/domain/knowledge/document/content-expression.js';
import { selectContent } from '../../../../src/domain/knowledge/document/content-selection.js';
import { category } from '../../../support/knowledge-fixture.js';

const names = {
  categories: [category('lang', { patterns: ['*.txt'] }), category('docs'), category('both')],
  collections: {
    all: ['lang/python', 'docs'],
    nested: ['all', 'both/x'],
    ring: ['docs', 'ring2'],
    ring2: ['lang', 'ring'],
    both: ['lang'],
    self: ['self', 'docs'],
    broken: ['nowhere'],
  },
};

function selected(expression: string) {
  const parts = parseContentExpression(expression);
  if (!parts.success) throw new Error(parts.error);
  const result = selectContent(parts.value, names);
  return result.success
    ? result.value.map(({ category: { name }, patterns }) => `${name}:${patterns.join('+')}`)
    : result.error;
}

describe('What the names of an expression stand for', () => {
  const table: readonly (readonly [string, string, readonly string[]])[] = [
    ['a category with its own patterns', 'lang', ['lang:*.txt']],
    ["explicit patterns instead of the category's", 'lang/a+b', ['lang:a+b']],
    ["a collection's patterns instead of the category's", 'all', ['lang:python', 'docs:**/*.md']],
    ["explicit patterns instead of the collection's", 'all/z', ['lang:z', 'docs:z']],
    ['a collection of collections', 'nested', ['lang:python', 'docs:**/*.md', 'lang:x']],
    ['a collection before a category of the same name', 'both', ['lang:*.txt']],
    ['a circle once around', 'ring', ['docs:**/*.md', 'lang:*.txt']],
    ['a collection that names itself', 'self', ['docs:**/*.md']],
    ['several in order', 'docs,lang', ['docs:**/*.md', 'lang:*.txt']],
  ];
  for (const [what, expression, expected] of table) {
    it(`${expression}: ${what}`, () => {
      expect(selected(expression)).to.deep.equal(expected);
    });
  }

  it('says which name is unknown, which is near, and where it stands', () => {
    expect(selected('lnag')).to.match(/no category or collection "lnag".*Did you mean lang/);
    expect(selected('zzzzzz')).to.match(/There are: .*lang/);
    expect(selected('broken')).to.match(/"nowhere", which the collection broken names/);
    expect(selected('constructor')).to.match(/no category/);
  });
});
