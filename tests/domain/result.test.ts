import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { type FailureNotes, Result, type SuccessNotes } from '../../src/domain/result.js';

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

type Present<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

function present<T extends object>(parts: T): Present<T> {
  const kept: Present<T> = { ...parts };
  for (const key in kept) if (kept[key] === undefined) delete kept[key];
  return kept;
}

describe('Result', () => {
  it('S0-01, S1-14: is one of two shapes, told apart by success', () => {
    const half = (n: number): Result<number> =>
      n % 2 === 0 ? Result.ok(n / 2) : Result.failure('odd', 'OddNumber');
    const even = half(4);
    const odd = half(3);
    expect(even.success && even.value).to.equal(2);
    expect(!odd.success && odd.error).to.equal('odd');
  });

  it('S0-02: ok(value) is a success with that value and nothing else', () => {
    const result = Result.ok({ a: 1 });
    expect(result.success).to.equal(true);
    expect(result.value).to.deep.equal({ a: 1 });
    expect(result.toEnvelope()).to.deep.equal({ success: true, status: 'success', value: { a: 1 } });
  });

  it('S0-03, S1-15: ok takes a message for the user, an instruction for the agent, and may lack a value', () => {
    const result = Result.ok(undefined, { message: 'Saved.', instruction: 'Review it.' });
    expect(result.message).to.equal('Saved.');
    expect(result.instruction).to.equal('Review it.');
    expect(result.toEnvelope()).to.deep.equal({
      success: true,
      status: 'success',
      message: 'Saved.',
      instruction: 'Review it.',
    });
  });

  it('S0-04: failure(error, type) is a failure that says what and of which kind', () => {
    const result = Result.failure('no such file', 'NotFoundError');
    expect(result.success).to.equal(false);
    expect(result.toEnvelope()).to.deep.equal({
      success: false,
      status: 'failure',
      error: 'no such file',
      error_message: 'no such file',
      error_type: 'NotFoundError',
    });
  });

  it('S0-05, S1-16: failure takes an exception, a message and an instruction', () => {
    const result = Result.failure('broken', 'ToolExecutionError', {
      exception: new RangeError('too far'),
      message: 'It broke.',
      instruction: 'Stop.',
    });
    expect(result.message).to.equal('It broke.');
    expect(result.instruction).to.equal('Stop.');
    expect(result.notes.exception).to.be.instanceOf(RangeError);
  });

  it('S0-06: toJsonStr is the envelope as JSON, for successes and failures', () => {
    for (const result of [Result.ok([1, null]), Result.failure('x', 'Y', { code: -32005 })]) {
      expect(JSON.parse(result.toJsonStr())).to.deep.equal(result.toEnvelope());
    }
  });

  it('S1-17: toJsonStr knows toDict, toJson, dates and maps as the server does', () => {
    const value = {
      dict: { toDict: () => ({ a: 1 }) },
      json: { toJson: () => [{ toDict: () => 'deep' }] },
      at: new Date(0),
      map: new Map([['k', new Set([1])]]),
    };
    expect(JSON.parse(Result.ok(value).toJsonStr()).value).to.deep.equal({
      dict: { a: 1 },
      json: ['deep'],
      at: '1970-01-01T00:00:00.000Z',
      map: { k: [1] },
    });
  });

  for (const [name, value, place] of [
    ['a BigInt', { total: 3n }, '$.value.total is a bigint'],
    ['a function', [() => 1], '$.value[0] is a function'],
    ['a number that is none', Number.NaN, '$.value is NaN'],
  ] as const) {
    it(`S1-17: toJsonStr of ${name} is a failure that names the place`, () => {
      const json = JSON.parse(Result.ok(value).toJsonStr());
      expect(json).to.include({ success: false, status: 'failure', error_type: 'NotSerialisable' });
      expect(json.error).to.contain(place);
    });
  }

  it('S0-02: 0, false, the empty text and null are values in the envelope', () => {
    for (const value of [0, false, '', null]) {
      const result = Result.ok(value);
      expect(result.toEnvelope()).to.have.property('value', value);
      expect(JSON.parse(result.toJsonStr())).to.have.property('value', value);
    }
  });

  it('S0-07: an exception leaves as its type and its message, never as itself', () => {
    const json = JSON.parse(
      Result.failure('x', 'Y', { exception: new TypeError('not a number') }).toJsonStr(),
    );
    expect(json).to.include({ exception_type: 'TypeError', exception_message: 'not a number' });
    expect(json).not.to.have.property('exception');
    expect(JSON.stringify(json)).not.to.contain('at ');
  });

  it('S0-08: an optional field is in the JSON exactly when it was given', () => {
    const notes = fc.record({
      message: optional(fc.string()),
      instruction: optional(fc.string()),
      page: optional(fc.constant({ truncated: true, next_cursor: 'c' })),
    });
    fc.assert(
      fc.property(fc.option(fc.integer(), { nil: undefined }), notes, (value, given) => {
        const parts: SuccessNotes = present(given);
        const json = JSON.parse(Result.ok(value, parts).toJsonStr());
        const expected = { success: true, status: 'success', ...present({ value }), ...parts };
        expect(json).to.deep.equal(expected);
      }),
    );
    const failures = fc.record({
      message: optional(fc.string()),
      instruction: optional(fc.string()),
      code: optional(fc.integer()),
      details: optional(fc.constant({ reason: 'BUSY' })),
      exception: optional(fc.constant(new Error('e'))),
    });
    fc.assert(
      fc.property(failures, (given) => {
        const parts: FailureNotes = present(given);
        const keys = Object.keys(JSON.parse(Result.failure('x', 'Y', parts).toJsonStr()));
        const expected = ['success', 'status', 'error', 'error_message', 'error_type'];
        const names: Readonly<Record<string, readonly string[]>> = {
          message: ['message'],
          instruction: ['instruction'],
          code: ['error_code'],
          details: ['error_details'],
          exception: ['exception_type', 'exception_message'],
        };
        for (const key of Object.keys(parts)) expected.push(...(names[key] ?? []));
        expect(keys).to.have.members(expected);
      }),
    );
  });

  it('S0-09: message and instruction are separate channels', () => {
    const { message, instruction } = Result.ok(1, {
      message: 'for you',
      instruction: 'for the agent',
    }).toEnvelope();
    expect({ message, instruction }).to.deep.equal({ message: 'for you', instruction: 'for the agent' });
    expect(Result.failure('x', 'Y', { message: 'for you' }).toEnvelope()).not.to.have.property('instruction');
    expect(Result.failure('x', 'Y', { instruction: 'stop' }).toEnvelope()).not.to.have.property('message');
  });

  it('keeps empty texts, zero and false: absent is not the same as empty', () => {
    expect(Result.ok(false, { message: '' }).toEnvelope()).to.deep.equal({
      success: true,
      status: 'success',
      value: false,
      message: '',
    });
    expect(Result.failure('x', 'Y', { code: 0 }).toEnvelope()).to.have.property('error_code', 0);
    expect(Result.ok(null).toEnvelope()).to.have.property('value', null);
  });

  it('takes the words of an error that is an object from its message', () => {
    const result = Result.failure({ kind: 'x', message: 'the words' }, 'Y');
    expect(result.toEnvelope()).to.include({ error: 'the words', error_message: 'the words' });
  });
});
