import { expect } from 'chai';
import { describe, it } from 'mocha';
import { denialError } from '../../../src/application/permission/denial-error.js';
import { type Denial, deny } from '../../../src/domain/permission/policy/decision.js';

const AT = { file: 'secret-policy.yaml', line: 7, column: 1 };

function told(reason: Denial['reason']): string {
  const error = denialError(
    deny(reason, { kind: 'tool', text: 't' }, 'the rule /x/** says no', 'use another', AT),
    't',
  );
  return `${error.kind}: ${error.message}`;
}

describe('A refusal as the caller hears it', () => {
  it('is the same for a tool that the role may not see as for one that is not there', () => {
    expect(told('ROLE'))
      .to.equal(told('UNKNOWN_TOOL'))
      .and.match(/^not-found: /);
  });

  it('says that a tool is switched off', () => expect(told('DISABLED')).to.match(/^disabled: /));

  for (const reason of ['SHELL_SYNTAX', 'UNPARSEABLE', 'HAZARDOUS_ARGUMENT'] as const) {
    it(`${reason} says what is wrong with the words of the command`, () =>
      expect(told(reason)).to.include('The rule /x/** says no. Use another.'));
  }

  for (const reason of ['NO_ALLOW', 'DENIED_PATH', 'PROTECTED', 'ARGUMENT'] as const) {
    it(`${reason} says what to do, and names neither the rule nor its place`, () => {
      expect(told(reason)).to.match(/^permission-denied: .*use another/);
      expect(told(reason)).to.not.match(/\/x\/\*\*|secret-policy/);
    });
  }
});
