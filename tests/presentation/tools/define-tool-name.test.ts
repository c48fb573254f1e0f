import { expect } from 'chai';
import { Result } from '../../../src/domain/result.js';
import { ToolResult } from '../../../src/domain/tool/tool-result.js';
import { defineTool } from '../../../src/presentation/tools/define-tool.js';
import { toolArguments } from '../../../src/presentation/tools/tool-arguments.js';

const words = {
  version: '1.0.0',
  category: 'test',
  summary: 'Greet.',
  description: 'Greets.',
  usage: 'Call it.',
  examples: [{ title: 'A call', arguments: {} }],
  effects: {},
  security: 'None at all.',
  input: toolArguments({}),
};

describe('The name of a tool', () => {
  it('S1-04: is the name of its function unless one is given', () => {
    const greetUser = () => Result.ok(ToolResult.text('hi'));
    expect(defineTool({ ...words, run: greetUser }).name).to.equal('greet_user');
    expect(defineTool({ ...words, name: 'welcome', run: greetUser }).name).to.equal('welcome');
  });

  it('S1-04: must come from somewhere', () => {
    expect(() => defineTool({ ...words, run: () => Result.ok(ToolResult.empty()) })).to.throw(/needs a name/);
  });
});
