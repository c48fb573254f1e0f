import { expect } from 'chai';
import { describe, it } from 'mocha';
import {
  callCancelled,
  consentRequired,
  errorCodeOf,
  errorDetailsOf,
  errorTypeOf,
  executionFailed,
  internalFault,
  invalidInput,
  limitExceeded,
  permissionDenied,
  type ToolError,
  toolDisabled,
  toolFailure,
  toolNotFound,
  toolTimedOut,
  toolUnavailable,
  withToolContext,
} from '../../../src/domain/tool/tool-error.js';
import { countsAsFault } from '../../../src/domain/tool/tool-fault.js';

const problem = {
  parameter_name: 'path',
  issue: 'path is required',
  expected: 'a string',
  received: 'nothing',
  hint: 'Give it.',
};

interface Row {
  readonly error: ToolError;
  readonly type: string;
  readonly code: number;
  readonly fault: boolean;
}

const TABLE: readonly Row[] = [
  { error: toolNotFound('x'), type: 'ToolNotFoundError', code: -32001, fault: false },
  { error: toolDisabled('x'), type: 'ToolDisabledError', code: -32004, fault: false },
  { error: executionFailed('x'), type: 'ToolExecutionError', code: -32005, fault: true },
  { error: toolTimedOut(10), type: 'ToolTimeoutError', code: -32006, fault: true },
  { error: invalidInput([problem]), type: 'ToolValidationError', code: -32602, fault: false },
  { error: permissionDenied('NO_ALLOW', 'x'), type: 'PermissionDeniedError', code: -32007, fault: false },
  {
    error: consentRequired('CONSENT_REQUIRED', 'x'),
    type: 'ConsentRequiredError',
    code: -32008,
    fault: false,
  },
  { error: limitExceeded('x'), type: 'LimitExceededError', code: -32009, fault: false },
  { error: toolUnavailable('BUSY', 'x'), type: 'ToolUnavailableError', code: -32010, fault: false },
  { error: callCancelled(), type: 'CancelledError', code: -32011, fault: false },
  { error: internalFault('c-1'), type: 'InternalError', code: -32603, fault: true },
];

describe('ToolError', () => {
  for (const { error, type, code, fault } of TABLE) {
    it(`S3-42, S4-25: ${error.kind} is a ${type} with code ${code}`, () => {
      expect(errorTypeOf(error)).to.equal(type);
      expect(errorCodeOf(error)).to.equal(code);
      expect(toolFailure(error).toEnvelope()).to.include({
        success: false,
        error: error.message,
        error_type: type,
        error_code: code,
      });
    });

    it(`${error.kind} ${fault ? 'counts' : 'does not count'} as a fault of the tool`, () => {
      expect(countsAsFault(error)).to.equal(fault);
    });
  }

  it('S4-25: no two kinds share a code', () => {
    expect(new Set(TABLE.map(({ code }) => code)).size).to.equal(TABLE.length);
  });

  it('S3-44: withToolContext adds the tool and its arguments and changes nothing else', () => {
    const error = executionFailed('broken', { correlationId: 'c' });
    expect(withToolContext(error, 'echo', { a: 1 })).to.deep.equal({
      ...error,
      tool: 'echo',
      arguments: { a: 1 },
    });
    expect(error).not.to.have.property('tool');
  });

  it('tells details only where it has some', () => {
    expect(errorDetailsOf(callCancelled())).to.equal(undefined);
    expect(toolFailure(callCancelled()).toEnvelope()).not.to.have.property('error_details');
    expect(errorDetailsOf(toolUnavailable('RATE_LIMITED', 'x', 500))).to.deep.equal({
      reason: 'RATE_LIMITED',
      retry_after_ms: 500,
    });
    expect(errorDetailsOf(internalFault('c-1'))).to.deep.equal({ correlation_id: 'c-1' });
    expect(errorDetailsOf(invalidInput([problem, { ...problem, parameter_name: 'b' }]))).to.deep.equal({
      parameter_name: 'path',
      issue: 'path is required',
      problems: [problem, { ...problem, parameter_name: 'b' }],
    });
  });

  it('S3-43: an internal error says where to look and nothing of its cause', () => {
    expect(internalFault('c-1').message).to.equal(
      'Internal error. The operator finds the cause in the log under c-1.',
    );
  });

  it('lets an execution failure name a narrower type under the same code', () => {
    const error = executionFailed('x', { type: 'NotFoundError' });
    expect([errorTypeOf(error), errorCodeOf(error)]).to.deep.equal(['NotFoundError', -32005]);
  });

  it('carries instruction and exception into the envelope', () => {
    const envelope = toolFailure({
      ...permissionDenied('NO_ALLOW', 'no', 'Stop here.'),
      exception: new TypeError('t'),
    }).toEnvelope();
    expect(envelope).to.include({
      instruction: 'Stop here.',
      exception_type: 'TypeError',
      exception_message: 't',
    });
  });

  it('S4-22: a timeout says so in the seed’s words and how long it was', () => {
    expect(toolTimedOut(1500).message).to.match(/^Tool execution timed out after 1\.5s/);
  });

  it('suggests names, and the list of tools', () => {
    expect(toolNotFound('ecko', ['echo']).message).to.equal(
      'Unknown tool: ecko. Did you mean echo? Call tools/list for the available tools.',
    );
  });
});
