import { expect } from 'chai';
import { describe, it } from 'mocha';
import { withPrincipal } from '../../../src/presentation/cli/principal-entry.js';

describe('one more principal in the text of a policy', () => {
  for (const [what, before, after] of [
    [
      'after the last',
      'principals:\n  - a\n  - b\nroles: {}\n',
      'principals:\n  - a\n  - b\n  - new\nroles: {}\n',
    ],
    [
      'after one of several lines',
      'principals:\n- match: a\n  roles: [b]\n',
      'principals:\n- match: a\n  roles: [b]\n- new\n',
    ],
    [
      'before comments of what follows',
      'principals: # who\n  - a\n\n# roles\nroles: {}',
      'principals: # who\n  - a\n  - new\n\n# roles\nroles: {}',
    ],
    ['with the line ends that it has', 'principals:\r\n  - a\r\n', 'principals:\r\n  - a\r\n  - new\r\n'],
    ['nowhere in a list on one line', 'principals: [a]\n', undefined],
    ['nowhere in an empty list', 'principals:\nroles: {}\n', undefined],
    ['nowhere without a list', 'roles:\n  - a\n', undefined],
    ['nowhere in a list of something else', 'x:\n  principals:\n    - a\n', undefined],
  ] as const)
    it(`goes ${what}`, () => {
      expect(withPrincipal(before, '- new')).to.equal(after);
    });
});
