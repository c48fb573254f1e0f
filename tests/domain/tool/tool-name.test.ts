import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { decorateToolName, normaliseToolName, parseToolName } from '../../../src/domain/tool/tool-name.js';
import { mustFail, mustValue, toolName } from '../../support/sample-tool.js';

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join('_'));

describe('parseToolName', () => {
  it('accepts every snake_case name and gives it back unchanged', () => {
    fc.assert(
      fc.property(name, (raw) => {
        expect(mustValue(parseToolName(raw))).to.equal(raw);
      }),
    );
  });

  const refused = [
    '',
    'Echo',
    'read-file',
    'read.file',
    '_echo',
    'echo_',
    'a__b',
    '1st',
    'é',
    'a b',
    '__proto__',
  ];
  for (const raw of [...refused, 'a'.repeat(65), 'echo\n']) {
    it(`refuses ${JSON.stringify(raw.slice(0, 20))} and says what a name looks like`, () => {
      const failure = mustFail(parseToolName(raw));
      expect(failure.errorType).to.equal('InvalidToolName');
      expect(failure.error).to.contain('snake_case').and.to.contain(JSON.stringify(raw));
    });
  }

  it('accepts 64 characters and no more', () => {
    expect(parseToolName('a'.repeat(64)).success).to.equal(true);
  });
});

describe('normaliseToolName', () => {
  it('is the same for every separator and case', () => {
    const separators = fc.constantFrom('-', '.', '_', '/', ' ', '');
    fc.assert(
      fc.property(name, separators, fc.boolean(), (raw, separator, upper) => {
        const spelled = raw.replaceAll('_', separator);
        expect(normaliseToolName(upper ? spelled.toUpperCase() : spelled)).to.equal(normaliseToolName(raw));
      }),
    );
  });

  it('keeps apart what differs in letters and digits', () => {
    expect(normaliseToolName('read_file2')).not.to.equal(normaliseToolName('read_file'));
    expect(normaliseToolName('lire_été')).to.equal('lireété').and.to.equal(normaliseToolName('Lire-ÉTÉ'));
    expect(normaliseToolName('読む_2')).to.equal('読む2');
  });
});

describe('decorateToolName', () => {
  it('S0-27, S1-02: joins prefix and name with one underscore', () => {
    expect(decorateToolName(toolName('echo'), 'guide')).to.equal('guide_echo');
    expect(decorateToolName(toolName('echo'), 'guide_')).to.equal('guide_echo');
  });

  it('S0-26: an empty prefix leaves the name as it is', () => {
    expect(decorateToolName(toolName('echo'), '')).to.equal('echo');
  });
});
