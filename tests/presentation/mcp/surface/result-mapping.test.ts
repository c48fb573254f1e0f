import { expect } from 'chai';
import { describe, it } from 'mocha';
import { Result } from '../../../../src/domain/result.js';
import { ToolResult } from '../../../../src/domain/tool/tool-result.js';
import { toWireAnswer, toWireResult } from '../../../../src/presentation/mcp/surface/result-mapping.js';

describe('toWireResult', () => {
  it('S3-04, S4-04: content, and isError only for errors', () => {
    expect(toWireResult(ToolResult.text('x'))).to.deep.equal({ content: [{ type: 'text', text: 'x' }] });
    expect(toWireResult(ToolResult.error('x'))).to.deep.equal({
      content: [{ type: 'text', text: 'x' }],
      isError: true,
    });
    expect(toWireResult(ToolResult.empty())).to.deep.equal({ content: [] });
  });

  it('S0-06: the envelope is structured content, and its JSON the first text', () => {
    const envelope = Result.ok({ n: 1 }).toEnvelope();
    expect(toWireResult(ToolResult.json(envelope))).to.deep.equal({
      content: [{ type: 'text', text: Result.ok({ n: 1 }).toJsonStr() }],
      structuredContent: envelope,
    });
  });
});

describe('toWireAnswer', () => {
  for (const result of [
    ToolResult.json(Result.ok({ name: '"quoted"\u2028', list: [1, null] }).toEnvelope()),
    ToolResult.json(Result.failure('no', 'SomeError').toEnvelope()),
  ]) {
    it(`S0-06: a structured ${result.isError ? 'failure' : 'success'} is the same as text`, () => {
      const answer = toWireAnswer(result);
      expect('resultJson' in answer && JSON.parse(answer.resultJson)).to.deep.equal(toWireResult(result));
    });
  }

  it('leaves an answer that is no envelope as it is', () => {
    expect(toWireAnswer(ToolResult.text('x'))).to.deep.equal({ result: toWireResult(ToolResult.text('x')) });
  });
});
