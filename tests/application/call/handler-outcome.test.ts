import { expect } from 'chai';
import { describe, it } from 'mocha';
import { readOutcome } from '../../../src/application/call/handler-outcome.js';
import { Result } from '../../../src/domain/result.js';
import { mustFail, mustValue } from '../../support/sample-tool.js';

const LONG = 'x'.repeat(70_000);

describe('What a handler returned', () => {
  for (const value of [
    undefined,
    null,
    0,
    'text',
    [1],
    { a: 1 },
    { success: true, other: 1 },
    { success: 1 },
  ]) {
    it(`${JSON.stringify(value)} is a success with that value`, () => {
      expect(mustValue(readOutcome(value))).to.deep.equal(value);
    });
  }

  it('is a success with its notes, whichever form it has', () => {
    const notes = { message: 'm', instruction: 'i', page: { truncated: true }, refused: 2 };
    for (const returned of [Result.ok(1, notes), { success: true, value: 1, notes }])
      expect(readOutcome(returned)).to.deep.include({ success: true, value: 1, notes });
    const { refused: _, ...shown } = notes;
    expect(readOutcome({ success: true, value: 1, ...shown })).to.deep.include({ value: 1, notes: shown });
  });

  it('keeps only notes of the right kind', () => {
    const notes = { message: 1, instruction: {}, page: { truncated: 'yes' }, refused: 'two' };
    expect(readOutcome({ success: true, value: 1, notes }).notes).to.deep.equal({});
  });

  it('is a failure with its type, code, details, words and exception, whichever form it has', () => {
    const exception = new TypeError('broken');
    const notes = { message: 'm', instruction: 'i', exception, code: 7, details: { a: 1 } };
    for (const returned of [
      Result.failure('no', 'NoteError', notes),
      { success: false, error: 'no', errorType: 'NoteError', notes },
      {
        success: false,
        error: 'no',
        error_type: 'NoteError',
        message: 'm',
        instruction: 'i',
        exception,
        error_code: 7,
        error_details: { a: 1 },
      },
    ]) {
      const failure = mustFail(readOutcome(returned));
      expect(failure.errorType).to.equal('NoteError');
      expect(failure.error).to.include({ kind: 'execution', message: 'no' });
      expect(failure.notes).to.deep.equal(notes);
    }
  });

  it('has an exception by its name and words alone', () => {
    const said = { success: false, error: 'no', exception_type: 'OSError', exception_message: 'disk' };
    const { exception } = mustFail(readOutcome(said)).notes;
    expect([exception?.name, exception?.message]).to.deep.equal(['OSError', 'disk']);
    expect(mustFail(readOutcome({ ...said, exception_message: 3 })).notes).not.to.have.property('exception');
    expect(
      mustFail(readOutcome({ success: false, error: 'no', exception: null })).notes,
    ).not.to.have.property('exception');
  });

  it('has a reason, also where none was given', () => {
    const reasonOf = (error: unknown) => mustFail(readOutcome({ success: false, error })).error.message;
    expect(reasonOf('why')).to.equal('why');
    expect(reasonOf(new Error('why'))).to.equal('why');
    expect(reasonOf({ message: 'why' })).to.contain('why');
    for (const nothing of ['', '  ', undefined, 7]) expect(reasonOf(nothing)).to.match(/gave no reason/);
  });

  it('has a type that is a name of bounded length, or the usual one', () => {
    const typeOf = (errorType: unknown) =>
      mustFail(readOutcome({ success: false, error: 'no', errorType })).errorType;
    expect(typeOf('A'.repeat(100))).to.equal('A'.repeat(100));
    for (const wrong of ['A'.repeat(101), '', ' x', 'a\nb', 5])
      expect(typeOf(wrong)).to.equal('ToolExecutionError');
  });

  it('has texts of bounded length, and a code that is a whole number', () => {
    const notes = { message: LONG, instruction: LONG, code: 1.5, details: { a: LONG } };
    const failure = mustFail(readOutcome(Result.failure(LONG, 'NoteError', notes)));
    expect(failure.notes.message)
      .to.match(/x\.\.\. \[70000 chars\]$/)
      .and.to.have.lengthOf(65_536 + 17);
    expect(failure.error.message).to.have.lengthOf(65_536 + 17);
    expect(failure.notes.code).to.be.a('number').and.not.to.equal(1.5);
    expect(failure.notes).not.to.have.property('details');
    const short = 'x'.repeat(65_536 + 64);
    expect(mustFail(readOutcome(Result.failure(short, 'NoteError'))).error.message).to.equal(short);
  });

  it('throws an Error that was returned', () => {
    expect(() => readOutcome(new Error('returned'))).to.throw('returned');
  });
});
