import { expect } from 'chai';
import { describe, it } from 'mocha';
import { Compile } from 'typebox/compile';
import { Result } from '../../../src/domain/result.js';
import {
  executionFailed,
  invalidInput,
  toolFailure,
  toolUnavailable,
} from '../../../src/domain/tool/tool-error.js';
import { envelopeSchema } from '../../../src/presentation/docs/envelope-schema.js';

describe('envelopeSchema', () => {
  const check = Compile(envelopeSchema({ type: 'array', items: { type: 'integer' } }));

  it('S1-14: accepts every envelope a tool can answer with, good or bad', () => {
    const problem = { parameter_name: 'p', issue: 'i', expected: 'e', received: 'r', hint: 'h' };
    for (const result of [
      Result.ok([1, 2]),
      Result.ok(undefined),
      Result.ok([], {
        message: 'm',
        instruction: 'i',
        page: { truncated: true, next_cursor: 'c', total: 3 },
      }),
      toolFailure(executionFailed('x', { exception: new Error('e'), correlationId: 'c', instruction: 'i' })),
      toolFailure(invalidInput([problem])),
      toolFailure(toolUnavailable('BUSY', 'x', 5)),
    ]) {
      expect(check.Check(JSON.parse(result.toJsonStr())), result.toJsonStr()).to.equal(true);
    }
  });

  it('refuses a value of another type and a field that is none', () => {
    expect(check.Check(Result.ok(['x']).toEnvelope())).to.equal(false);
    expect(check.Check({ ...Result.ok([1]).toEnvelope(), extra: 1 })).to.equal(false);
    expect(check.Check({ value: [1] })).to.equal(false);
  });
});
