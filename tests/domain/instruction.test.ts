import { expect } from 'chai';
import { describe, it } from 'mocha';
import { Instruction } from '../../src/domain/instruction.js';
import { Result } from '../../src/domain/result.js';

describe('Instruction', () => {
  const patterns: readonly (readonly [string, string, RegExp])[] = [
    ['stop remediation', Instruction.stopRemediation, /take no further action/],
    [
      'suggest remediation',
      Instruction.suggestRemediation('creating the file'),
      /^Suggest creating the file/,
    ],
    ['mode switch', Instruction.planningMode, /PLANNING/],
    ['operational boundary', Instruction.noChanges, /Do NOT make any changes/],
  ];
  for (const [pattern, instruction, words] of patterns) {
    it(`S1-18: a result can carry the pattern "${pattern}", successes and failures alike`, () => {
      expect(instruction).to.match(words);
      expect(Result.ok(1, { instruction }).toEnvelope().instruction).to.equal(instruction);
      expect(Result.failure('x', 'Y', { instruction }).toEnvelope().instruction).to.equal(instruction);
    });
  }

  it('S1-19: has words for errors, the four modes, boundaries and guidance', () => {
    const { planningMode, discussionMode, implementationMode, checkMode } = Instruction;
    expect(planningMode).to.contain('PLANNING');
    expect(discussionMode).to.contain('DISCUSSION');
    expect(implementationMode).to.contain('IMPLEMENTATION');
    expect(checkMode).to.contain('CHECK');
    expect(Instruction.askForClarification('the scope')).to.contain('clarification on the scope');
    expect(Instruction.noAutomaticFix).to.contain('Do NOT');
    expect(Instruction.requireConsent).to.contain('explicit user consent');
    expect(Instruction.requireReview).to.contain('review and approval');
    expect(Instruction.consider('a smaller step')).to.equal('Consider a smaller step.');
    expect(Instruction.review('the ADR')).to.contain('Review the ADR');
    expect(Instruction.validate('the name')).to.contain('Validate the name');
  });

  it('S1-19, S1-22: the words are recommended, not enforced: any text is an instruction', () => {
    const instruction = 'Sing it in a low voice.';
    expect(Result.ok(1, { instruction }).toEnvelope().instruction).to.equal(instruction);
  });
});
