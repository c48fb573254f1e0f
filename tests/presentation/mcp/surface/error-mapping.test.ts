import { expect } from 'chai';
import { describe, it } from 'mocha';
import { Failure } from '../../../../src/domain/result.js';
import {
  callCancelled,
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
} from '../../../../src/domain/tool/tool-error.js';
import { toWireError } from '../../../../src/presentation/mcp/surface/error-mapping.js';

const OTHERS: readonly (readonly [ToolError, number])[] = [
  [toolDisabled('x'), -32004],
  [executionFailed('x'), -32005],
  [toolTimedOut(1), -32006],
  [invalidInput([]), -32602],
  [permissionDenied('NO_ALLOW', 'x'), -32007],
  [limitExceeded('x'), -32009],
  [toolUnavailable('BUSY', 'x', 5), -32010],
  [callCancelled(), -32011],
  [internalFault('c'), -32603],
];

describe('toWireError', () => {
  it('S4-26: an unknown tool is a protocol error, -32602 with its own number in data', () => {
    expect(toWireError(toolFailure(toolNotFound('x')), 'result')).to.deep.equal({
      error: {
        code: -32602,
        message: 'Unknown tool: x. Call tools/list for the available tools.',
        data: { error_type: 'ToolNotFoundError', error_code: -32001 },
      },
    });
  });

  for (const [error, code] of OTHERS) {
    it(`S4-26, S4-25: ${error.kind} is a result marked as error with ${code}, so that the model can react`, () => {
      const answer = toWireError(toolFailure(error), 'result');
      expect(answer).to.have.nested.property('result.isError', true);
      expect(answer).to.have.nested.property('result.structuredContent.error_code', code);
      expect(answer).to.have.nested.property('result.content[0].type', 'text');
    });

    it(`S3-42: in style rpc ${error.kind} is a JSON-RPC error ${code}`, () => {
      expect(toWireError(toolFailure(error), 'rpc')).to.have.nested.property('error.code', code);
    });
  }

  it('S3-42: in style rpc an unknown tool is -32001', () => {
    expect(toWireError(toolFailure(toolNotFound('x')), 'rpc')).to.have.nested.property('error.code', -32001);
  });

  it('S0-05, S1-16: everything that a failure says travels, in either style', () => {
    const failure = new Failure(executionFailed('no such note', { type: 'NotFoundError' }), 'NotFoundError', {
      code: -32005,
      message: 'Tell them that it is gone.',
      instruction: 'List the notes first.',
      exception: new RangeError('12 of 10'),
    });
    const words = {
      error_type: 'NotFoundError',
      error_code: -32005,
      message: 'Tell them that it is gone.',
      instruction: 'List the notes first.',
      exception_type: 'RangeError',
      exception_message: '12 of 10',
    };
    expect(toWireError(failure, 'result'))
      .to.have.nested.property('result.structuredContent')
      .that.includes(words);
    expect(toWireError(failure, 'rpc')).to.have.nested.property('error.data').that.includes(words);
    expect(toWireError(failure, 'rpc')).to.have.nested.property('error.message', 'no such note');
  });

  it('carries the details in either style', () => {
    const busy = toolUnavailable('BUSY', 'x', 5);
    const details = { reason: 'BUSY', retry_after_ms: 5 };
    expect(toWireError(toolFailure(busy), 'rpc')).to.have.deep.nested.property(
      'error.data.error_details',
      details,
    );
    expect(toWireError(toolFailure(busy), 'result')).to.have.deep.nested.property(
      'result.structuredContent.error_details',
      details,
    );
  });
});
