import { expect } from 'chai';
import { describe, it } from 'mocha';
import { Result } from '../../../../src/domain/result.js';
import { closedObjectSchema } from '../../../../src/domain/tool/tool-input-schema.js';
import { ToolResult } from '../../../../src/domain/tool/tool-result.js';
import { runnable } from '../../../support/sample-tool.js';
import { initialize, Wire } from '../../../support/wire.js';

const echo = () =>
  runnable(
    { name: 'echo', inputSchema: closedObjectSchema({ message: { type: 'string' } }) },
    ({ message }) => Result.ok(ToolResult.text(`Echo: ${message}`)),
  );

describe('Session2025Connection', () => {
  for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    it(`S3-01: serves a client of ${version}: initialize, tools/list, tools/call`, async () => {
      const wire = new Wire([echo()]);
      const { result } = await wire.open(version);
      expect(result).to.have.property('protocolVersion', version);
      const list = await wire.request(1, 'tools/list');
      expect(list).to.have.nested.property('result.tools[0].name', 'echo');
      const call = await wire.call(2, 'echo', { message: 'hi' });
      expect(call).to.deep.equal({
        jsonrpc: '2.0',
        id: 2,
        result: { content: [{ type: 'text', text: 'Echo: hi' }] },
      });
    });
  }

  it('S3-02: says listChanged, and keeps the promise when a tool comes or goes', async () => {
    const wire = new Wire([]);
    wire.connection.announceTools();
    const { result } = await wire.open();
    expect(result).to.have.nested.property('capabilities.tools.listChanged', true);
    expect((await wire.settled()).some(({ method }) => method !== undefined)).to.equal(false);
    wire.connection.announceTools();
    await wire.find(({ method }) => method === 'notifications/tools/list_changed');
  });

  it('answers what was sent before the handshake was answered, in one write or many', async () => {
    const wire = new Wire([echo()]);
    const call = {
      jsonrpc: '2.0',
      id: 'c',
      method: 'tools/call',
      params: { name: 'echo', arguments: { message: 'x' } },
    };
    wire.send(initialize(), { jsonrpc: '2.0', method: 'notifications/initialized' }, call, {
      jsonrpc: '2.0',
      id: 'p',
      method: 'ping',
    });
    expect((await wire.answer('c')).result).to.have.property('content');
    expect((await wire.answer('p')).result).to.deep.equal({});
    expect(wire.received.map(({ id }) => id)).to.have.members([0, 'c', 'p']);
  });

  it('S4-21: refuses everything but ping before initialize', async () => {
    const wire = new Wire([echo()]);
    for (const [id, method] of ['tools/list', 'tools/call', 'resources/list'].entries()) {
      expect((await wire.request(id + 1, method, { name: 'echo' })).error?.code).to.equal(-32600);
    }
    expect((await wire.request(9, 'ping')).result).to.deep.equal({});
  });

  it('answers a bad initialize with what is wrong and takes a good one after it', async () => {
    const wire = new Wire([echo()]);
    expect((await wire.request(1, 'initialize', {})).error?.code).to.equal(-32602);
    expect((await wire.open()).result).to.have.property('protocolVersion');
  });

  it('S4-26, S3-42: an unknown tool is -32602 with its own type and code', async () => {
    const wire = new Wire([echo()]);
    await wire.open();
    for (const [id, name] of ['nobody', 'constructor', '__proto__', 'toString'].entries()) {
      const { error } = await wire.call(id + 1, name);
      expect(error?.code).to.equal(-32602);
      expect(error?.data).to.include({ error_type: 'ToolNotFoundError', error_code: -32001 });
    }
  });

  it('a call without a name is -32602, and so is one with a name that is no text', async () => {
    const wire = new Wire([echo()]);
    await wire.open();
    for (const [id, params] of [{}, { name: '' }, { name: 7 }, { name: null }].entries()) {
      const { error } = await wire.request(id + 1, 'tools/call', params);
      expect(error?.code).to.equal(-32602);
      expect(error?.message).to.contain('name is required');
    }
    expect((await wire.request(99, 'tools/call')).error?.code).to.equal(-32602);
  });

  it('a wrong argument is a result the model can read, naming the field', async () => {
    const wire = new Wire([echo()]);
    await wire.open();
    const { result } = await wire.call(1, 'echo', { message: 7, extra: 1 });
    expect(result).to.include({ isError: true });
    expect(result).to.have.nested.property('structuredContent.error_type', 'ToolValidationError');
    expect(JSON.stringify(result?.content)).to.contain('message').and.to.contain('extra');
  });

  it('a cancelled call gets no answer, and its handler hears of it', async () => {
    let signal: AbortSignal | undefined;
    const slow = runnable({ name: 'slow' }, (_args, context) => {
      signal = context.signal;
      return new Promise(() => {});
    });
    const wire = new Wire([slow]);
    await wire.open();
    wire.send({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'slow' } });
    while (signal === undefined) await new Promise((resolve) => setImmediate(resolve));
    wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } });
    await wire.connection.idle();
    await wire.request(6, 'ping');
    expect(signal.aborted).to.equal(true);
    expect((await wire.settled()).some(({ id }) => id === 5)).to.equal(false);
  });

  it('takes no notice of a cancellation for what is not running', async () => {
    const wire = new Wire([echo()]);
    await wire.open();
    for (const requestId of [1, 'x', null, {}, undefined]) {
      wire.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    }
    wire.send({ jsonrpc: '2.0', method: 'notifications/unheard_of' });
    expect((await wire.call(1, 'echo', { message: 'x' })).result).to.have.property('content');
  });

  it('S4-22: a timeout is answered, as an error with its code', async () => {
    const wire = new Wire([runnable({ name: 'slow' }, () => new Promise(() => {}), { timeoutMs: 10 })]);
    await wire.open();
    const { result } = await wire.call(1, 'slow');
    expect(result).to.have.nested.property('structuredContent.error_code', -32006);
  });

  it('answers both of two requests that share an id', async () => {
    const wire = new Wire([echo()]);
    await wire.open();
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'echo', arguments: { message: 'x' } },
    };
    wire.send(call, call);
    await wire.connection.idle();
    expect((await wire.settled()).filter(({ id }) => id === 1)).to.have.length(2);
  });

  it('hands a method it does not know to the SDK, which answers -32601', async () => {
    const wire = new Wire([echo()]);
    await wire.open();
    for (const [id, method] of ['prompts/unknown', 'no/such', 'constructor'].entries()) {
      const { error } = await wire.request(id + 1, method, {});
      expect(error?.code).to.equal(-32601);
    }
    await wire.connection.idle();
    expect(wire.received.filter(({ id }) => id === 0)).to.have.length(1);
  });

  it('ignores answers to questions nobody asked', async () => {
    const wire = new Wire([echo()]);
    await wire.open();
    wire.send(
      { jsonrpc: '2.0', id: 77, result: {} },
      { jsonrpc: '2.0', id: 78, error: { code: 1, message: 'x' } },
    );
    await wire.request(1, 'no/such', {});
    wire.send({ jsonrpc: '2.0', id: 79, result: {} });
    expect((await wire.request(2, 'ping')).result).to.deep.equal({});
    expect((await wire.settled()).map(({ id }) => id)).to.have.members([0, 1, 2]);
  });

  it('ends calls under way when it closes, and serves no more', async () => {
    let signal: AbortSignal | undefined;
    const slow = runnable({ name: 'slow' }, (_args, context) => {
      signal = context.signal;
      return new Promise(() => {});
    });
    const wire = new Wire([slow]);
    await wire.open();
    wire.send({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'slow' } });
    while (signal === undefined) await new Promise((resolve) => setImmediate(resolve));
    await wire.connection.close();
    expect(signal.aborted).to.equal(true);
    expect((await wire.request(6, 'tools/list')).error?.code).to.equal(-32600);
    wire.send({ ...initialize(), id: 7 });
    expect((await wire.answer(7)).error?.code).to.equal(-32600);
  });
});
