import { expect } from 'chai';
import { describe, it } from 'mocha';
import { Result } from '../../../src/domain/result.js';
import { isToolResult, ToolResult } from '../../../src/domain/tool/tool-result.js';

describe('ToolResult', () => {
  it('S4-04: text is one text block and no error', () => {
    const { content, isError, structured } = ToolResult.text('hi');
    expect({ content, isError, structured }).to.deep.equal({
      content: [{ type: 'text', text: 'hi' }],
      isError: false,
      structured: undefined,
    });
  });

  it('S4-04: json is the envelope, structured and as text; a failure marks it an error', () => {
    const good = ToolResult.json(Result.ok([1]).toEnvelope());
    expect(good.isError).to.equal(false);
    expect(good.structured).to.deep.equal({ success: true, status: 'success', value: [1] });
    expect(good.content).to.deep.equal([{ type: 'text', text: JSON.stringify(good.structured) }]);
    expect(ToolResult.json(Result.failure('x', 'Y').toEnvelope()).isError).to.equal(true);
  });

  for (const value of [
    { a: 1 },
    [1, 'two'],
    'text',
    3,
    true,
    null,
    { success: 'maybe' },
    { status: 'failure' },
  ]) {
    it(`S4-04: json takes any JSON value, such as ${JSON.stringify(value)}, as text and no error`, () => {
      const { content, isError, structured } = ToolResult.json(value);
      expect(content).to.deep.equal([{ type: 'text', text: JSON.stringify(value) }]);
      expect([isError, structured]).to.deep.equal([false, undefined]);
    });
  }

  it('S4-04: error is a text marked as error, and empty has no content and is none', () => {
    const error = ToolResult.error('bad');
    expect([error.content, error.isError]).to.deep.equal([[{ type: 'text', text: 'bad' }], true]);
    expect([ToolResult.empty().content, ToolResult.empty().isError]).to.deep.equal([[], false]);
  });

  it('S3-04: has content of type text, image and resource, besides audio and links', () => {
    const resource = { uri: 'castellan://x', text: 'x' };
    const link = { uri: 'castellan://x', name: 'x' };
    const blocks = [
      ToolResult.text('t'),
      ToolResult.image('aGk=', 'image/png'),
      ToolResult.audio('aGk=', 'audio/wav'),
      ToolResult.resource(resource),
      ToolResult.resourceLink(link),
    ].flatMap(({ content }) => content);
    expect(blocks).to.deep.equal([
      { type: 'text', text: 't' },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
      { type: 'resource', resource },
      { type: 'resource_link', ...link },
    ]);
  });

  it('adds message and instruction as blocks marked with their reader', () => {
    const noted = ToolResult.text('hi').withNotes('for you', 'for the agent');
    expect(noted.content.slice(1)).to.deep.equal([
      { type: 'text', text: 'for you', annotations: { audience: ['user'] } },
      { type: 'text', text: 'for the agent', annotations: { audience: ['assistant'] } },
    ]);
    const plain = ToolResult.text('hi');
    expect(plain.withNotes(undefined, undefined)).to.equal(plain);
    expect(ToolResult.error('x').withNotes('m', undefined).isError).to.equal(true);
  });

  it('is known by its mark, not by its class', () => {
    expect(isToolResult(ToolResult.empty())).to.equal(true);
    expect(isToolResult({ kind: 'tool-result' })).to.equal(true);
    for (const other of [null, undefined, 'x', { kind: 'x' }, [], Result.ok(1)]) {
      expect(isToolResult(other)).to.equal(false);
    }
  });
});
