import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { classify, errorResponse } from '../../../../src/presentation/mcp/surface/json-rpc.js';

const V = { jsonrpc: '2.0' };

describe('classify', () => {
  const table: readonly (readonly [unknown, string])[] = [
    [{ ...V, id: 1, method: 'ping' }, 'request'],
    [{ ...V, id: 'a', method: 'ping', params: {} }, 'request'],
    [{ ...V, method: 'notifications/x' }, 'notification'],
    [{ ...V, id: 1, result: {} }, 'response'],
    [{ ...V, id: 1, error: { code: 1, message: 'x' } }, 'response'],
    [{ ...V, id: null, error: { code: 1, message: 'x' } }, 'stray'],
    [{ ...V, error: { code: 1, message: 'x' } }, 'stray'],
    [{ ...V, id: null, method: 'ping' }, 'invalid'],
    [{ ...V, id: 1.5, method: 'ping' }, 'invalid'],
    [{ ...V, id: {}, method: 'ping' }, 'invalid'],
    [{ ...V, id: 1, method: 7 }, 'invalid'],
    [{ ...V, id: 1, method: 'ping', params: [] }, 'invalid'],
    [{ ...V, id: 1, method: 'ping', params: null }, 'invalid'],
    [{ ...V, id: 1 }, 'invalid'],
    [{ ...V, id: 1, error: { code: 'x' } }, 'stray'],
    [{ id: 1, method: 'ping' }, 'invalid'],
    [{ jsonrpc: '1.0', id: 1, method: 'ping' }, 'invalid'],
    [null, 'invalid'],
    ['ping', 'invalid'],
    [[], 'invalid'],
  ];
  for (const [value, kind] of table) {
    it(`${JSON.stringify(value)} is ${kind}`, () => expect(classify(value).kind).to.equal(kind));
  }

  it('keeps a valid id of an invalid message, so that its sender gets the answer', () => {
    expect(classify({ ...V, id: 7, method: 1 })).to.include({ kind: 'invalid', id: 7 });
    expect(classify({ ...V, id: {}, method: 1 })).to.include({ kind: 'invalid', id: null });
  });

  it('never throws, whatever comes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(classify(value)).to.have.property('kind');
      }),
    );
  });

  it('carries nothing on that it did not look at', () => {
    const { message } = classify({ ...V, id: 1, method: 'ping', extra: 1 }) as { message: object };
    expect(message).to.deep.equal({ ...V, id: 1, method: 'ping' });
  });
});

describe('errorResponse', () => {
  it('has data only where there is some', () => {
    expect(errorResponse(1, -1, 'x')).to.deep.equal({ ...V, id: 1, error: { code: -1, message: 'x' } });
    expect(errorResponse(null, -1, 'x', { a: 1 })).to.have.nested.property('error.data.a', 1);
  });
});
