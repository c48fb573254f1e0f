import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { DEFAULT_BUDGET } from '../../../src/application/call/call-budget.js';
import { Result } from '../../../src/domain/result.js';
import { ToolResult } from '../../../src/domain/tool/tool-result.js';
import { fitAnswer } from '../../../src/infrastructure/tool/answer-size.js';
import { mustFail, mustValue } from '../../support/sample-tool.js';

const LIMIT = DEFAULT_BUDGET.maxOutputBytes;

function firstText(result: ToolResult): string {
  const [block] = result.content;
  return block?.type === 'text' ? block.text : '';
}

describe('fitAnswer', () => {
  it('leaves a text at the limit whole', () => {
    const text = 'x'.repeat(LIMIT);
    const result = mustValue(fitAnswer(Result.ok(ToolResult.text(text)), LIMIT, false));
    expect(result.content).to.deep.equal([{ type: 'text', text }]);
  });

  it('cuts a text over 256 KiB and says how to get the rest', () => {
    const result = mustValue(fitAnswer(Result.ok(ToolResult.text('x'.repeat(LIMIT + 1))), LIMIT, false));
    expect(LIMIT).to.equal(256 * 1024);
    expect(firstText(result)).to.have.length(LIMIT);
    expect(result.content.at(-1))
      .to.have.property('text')
      .that.contains(`Cut after ${LIMIT} of ${LIMIT + 1} bytes`);
  });

  it('never cuts through a character, and wastes no more than one', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'é', '€', '😀', '\ufffd'), minLength: 1 }),
        fc.integer({ min: 1, max: 60 }),
        (text, limit) => {
          const cut = firstText(mustValue(fitAnswer(Result.ok(ToolResult.text(text)), limit, false)));
          expect(text.startsWith(cut)).to.equal(true);
          expect(Buffer.from(cut).toString()).to.equal(cut);
          const bytes = Buffer.byteLength(cut);
          expect(bytes).to.be.at.most(limit);
          if (Buffer.byteLength(text) > limit) expect(bytes).to.be.above(limit - 4);
        },
      ),
      { numRuns: process.env.CASTELLAN_LONG === '1' ? 20_000 : 300 },
    );
  });

  it('counts all text blocks together and keeps the others', () => {
    const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' } as const;
    const text = (length: number) => ({ type: 'text', text: 'x'.repeat(length) }) as const;
    const result = mustValue(
      fitAnswer(Result.ok(ToolResult.of([text(6), image, text(6), text(6)])), 10, false),
    );
    expect(result.content.slice(0, 3)).to.deep.equal([text(6), image, text(4)]);
    expect(result.content).to.have.length(4);
  });

  it('refuses a structured answer over the limit: cut JSON is no JSON', () => {
    const failure = mustFail(fitAnswer(Result.ok(['x'.repeat(2000)]), 1000, true));
    expect(failure.toEnvelope()).to.include({ error_type: 'LimitExceededError', error_code: -32009 });
    expect(failure.error.message).to.contain('Ask for less');
  });

  it('S1-17: refuses a value that JSON cannot hold, naming the place', () => {
    const failure = mustFail(fitAnswer(Result.ok({ list: [1n] }), LIMIT, true));
    expect(failure.error.message).to.equal(
      'Tool execution failed: $.list[0] is a bigint, which JSON cannot represent',
    );
  });

  it('S0-08: a structured tool without a value answers without the field', () => {
    const result = mustValue(fitAnswer(Result.ok(undefined, { message: 'Done.' }), LIMIT, true));
    expect(result.structured).to.deep.equal({ success: true, status: 'success', message: 'Done.' });
  });

  it('S0-09, S1-22: message and instruction of a text tool are blocks for their readers', () => {
    const outcome = Result.ok(ToolResult.text('x'), { message: 'm', instruction: 'i' });
    const { content } = mustValue(fitAnswer(outcome, LIMIT, false));
    expect(content.slice(1).map((block) => block.annotations?.audience)).to.deep.equal([
      ['user'],
      ['assistant'],
    ]);
  });

  it('refuses loose content from a tool that promises structure', () => {
    expect(mustFail(fitAnswer(Result.ok(ToolResult.text('x')), LIMIT, true)).errorType).to.equal(
      'ToolExecutionError',
    );
  });
});
