import { expect } from 'chai';
import { describe, it } from 'mocha';
import { explainSdkError } from '../../../src/presentation/mcp/sdk-answers.js';

const answer = (code: number, message: string) => ({
  jsonrpc: '2.0' as const,
  id: 1,
  error: { code, message },
});

describe('explainSdkError', () => {
  it('makes a dump of the checker -32602 with words', () => {
    const dump = JSON.stringify([{ path: ['ref', 'uri'], message: 'Required' }, { message: 'Bad' }, 7]);
    expect(explainSdkError(answer(-32603, dump))).to.deep.equal({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32602, message: 'Invalid params: ref.uri: Required; params: Bad; unreadable' },
    });
  });

  for (const [code, message] of [
    [-32601, 'Method not found'],
    [-32603, 'Something broke'],
    [-32603, '[not json'],
    [-32603, '[] and more'],
  ] as const) {
    it(`leaves ${code} ${message} as it is`, () => {
      expect(explainSdkError(answer(code, message))).to.deep.equal(answer(code, message));
    });
  }

  it('leaves results alone', () => {
    const result = { jsonrpc: '2.0' as const, id: 1, result: {} };
    expect(explainSdkError(result)).to.equal(result);
  });
});
