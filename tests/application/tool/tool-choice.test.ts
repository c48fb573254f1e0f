import { expect } from 'chai';
import { describe, it } from 'mocha';
import { ToolChoice } from '../../../src/application/tool/tool-choice.js';

const TOOL = { name: 'late_tool', category: 'ai' };

describe('ToolChoice', () => {
  for (const [chosen, admits] of [
    [{ exclude: [] }, true],
    [{ exclude: ['late_tool'] }, false],
    [{ exclude: ['late-tool'] }, false],
    [{ exclude: ['ai'] }, false],
    [{ exclude: ['late', 'file'] }, true],
    [{ include: ['late_tool'], exclude: [] }, true],
    [{ include: ['ai'], exclude: [] }, true],
    [{ include: ['file'], exclude: [] }, false],
    [{ include: [], exclude: [] }, false],
    [{ include: ['ai'], exclude: ['late_tool'] }, false],
  ] as const) {
    it(`${JSON.stringify(chosen)} ${admits ? 'admits' : 'refuses'} ${TOOL.name} of category ai`, () => {
      expect(new ToolChoice(chosen).admits(TOOL)).to.equal(admits);
    });
  }

  it('says which setting refuses', () => {
    expect(new ToolChoice({ exclude: ['ai'] }).refusal(TOOL)).to.contain('`tools.exclude`');
    expect(new ToolChoice({ include: ['file'], exclude: [] }).refusal(TOOL)).to.contain('`tools.include`');
  });
});
