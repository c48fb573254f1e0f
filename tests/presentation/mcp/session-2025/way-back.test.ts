import { expect } from 'chai';
import { describe, it } from 'mocha';
import { Result } from '../../../../src/domain/result.js';
import { LOCAL_STDIO } from '../../../../src/domain/session/caller.js';
import { Session } from '../../../../src/domain/session/session.js';
import { ToolResult } from '../../../../src/domain/tool/tool-result.js';
import { Session2025Connection } from '../../../../src/presentation/mcp/session-2025/session-2025-connection.js';
import { classify, type RpcMessage } from '../../../../src/presentation/mcp/surface/json-rpc.js';
import { eventually } from '../../../support/eventually.js';
import { NO_LIMITS, Pipeline } from '../../../support/pipeline.js';
import { runnable } from '../../../support/sample-tool.js';
import { initialize, OPTIONS, surfaceOf } from '../../../support/wire.js';

const asking = runnable({ name: 'asking' }, async (_args, context) => {
  context.log('info', 'about to ask');
  const answer = await context.elicit({ message: 'Go on?', fields: { yes: { type: 'boolean' } } });
  return Result.ok(ToolResult.text(answer.action));
});

function setUp() {
  const pipeline = new Pipeline([asking], NO_LIMITS);
  const session = Session.create('s-2025', LOCAL_STDIO);
  pipeline.sessions.add(session);
  const notices: RpcMessage[] = [];
  const connection = new Session2025Connection(
    session,
    surfaceOf(pipeline, OPTIONS),
    OPTIONS,
    async (message) => {
      notices.push(message);
    },
  );
  /** Sends one message and returns what comes back by its own way. */
  const send = (message: unknown): RpcMessage[] => {
    const received: RpcMessage[] = [];
    connection.receive(classify(message), async (answer) => {
      received.push(answer);
    });
    return received;
  };
  return { connection, send, notices };
}

const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'asking' } });
const questionIn = (messages: readonly RpcMessage[]) =>
  messages.find((message) => 'method' in message && message.method === 'elicitation/create');

describe('The way back of a request', () => {
  it('carries its answer, its messages and its questions; notices of changes go by the connection', async () => {
    const { connection, send, notices } = setUp();
    expect(send(initialize('2025-11-25', { elicitation: {} }))).to.have.length(1);
    send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const [first, second] = [send(call(1)), send(call(2))];
    await eventually('both ask', () => questionIn(first) !== undefined && questionIn(second) !== undefined);
    connection.announceTools();
    for (const messages of [second, first]) {
      const question = questionIn(messages);
      const id = question !== undefined && 'id' in question ? question.id : undefined;
      expect(
        send({ jsonrpc: '2.0', id, result: { action: 'accept', content: { yes: true } } }),
      ).to.deep.equal([]);
    }
    await connection.idle();
    for (const [id, messages] of [first, second].entries()) {
      expect(messages).to.have.length(3);
      expect(messages[0]).to.include({ method: 'notifications/message' });
      expect(messages[2]).to.deep.include({
        id: id + 1,
        result: { content: [{ type: 'text', text: 'accept' }] },
      });
    }
    expect(notices.map((message) => 'method' in message && message.method)).to.deep.equal([
      'notifications/tools/list_changed',
    ]);
    await connection.close();
  });

  it('has what is wrong with a message', () => {
    const { send } = setUp();
    expect(send({ jsonrpc: '1.0', id: 7, method: 'ping' })).to.have.nested.property('[0].error.code', -32600);
    expect(send({ jsonrpc: '2.0', id: 7, result: {} })).to.deep.equal([]);
  });
});
