import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type ClientCapabilities,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  JSONRPCMessageSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import type {
  ElicitAnswer,
  SampleAnswer,
  ToolContext,
} from '../../../../src/application/call/tool-context.js';
import { Result } from '../../../../src/domain/result.js';
import { ToolResult } from '../../../../src/domain/tool/tool-result.js';
import { runnable } from '../../../support/sample-tool.js';
import { Wire } from '../../../support/wire.js';

/** The SDK's own client on the other end of the wire. */
function transportTo(wire: Wire): Transport {
  const transport: Transport = {
    start: async () => {
      wire.output.on('data', (chunk: Buffer) => {
        for (const line of chunk.toString('utf8').split('\n')) {
          if (line !== '') transport.onmessage?.(JSONRPCMessageSchema.parse(JSON.parse(line)));
        }
      });
    },
    send: async (message) => wire.send(message),
    close: async () => transport.onclose?.(),
  };
  return transport;
}

async function connect(
  ask: (context: ToolContext) => Promise<ElicitAnswer | SampleAnswer | undefined>,
  capabilities: ClientCapabilities = {},
) {
  const heard: (ElicitAnswer | SampleAnswer | undefined)[] = [];
  const wire = new Wire([
    runnable({ name: 'ask' }, async (_args, context) => {
      heard.push(await ask(context));
      return Result.ok(ToolResult.text('asked'));
    }),
  ]);
  const client = new Client({ name: 'c', version: '1' }, { capabilities });
  return { heard, wire, client, start: () => client.connect(transportTo(wire)) };
}

const FORM = {
  message: 'Which colour?',
  required: ['colour'],
  fields: { colour: { type: 'string' as const, enum: ['red', 'blue'] } },
};

describe('Session2025CallChannel', () => {
  it('S3-04: the SDK’s client lists and calls through it', async () => {
    const { client, start } = await connect(async () => undefined);
    await start();
    expect((await client.listTools()).tools.map(({ name }) => name)).to.deep.equal(['ask']);
    const { content } = await client.callTool({ name: 'ask', arguments: {} });
    expect(content).to.deep.equal([{ type: 'text', text: 'asked' }]);
    expect(client.getServerVersion()).to.deep.include({ name: 'castellan' });
  });

  for (const answer of [
    { action: 'accept', content: { colour: 'red' } },
    { action: 'decline' },
    { action: 'cancel' },
  ] as const) {
    it(`elicits from the person at the client: ${answer.action}`, async () => {
      const { client, start, heard } = await connect((context) => context.elicit(FORM), { elicitation: {} });
      client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
        expect(params.message).to.equal('Which colour?');
        return { ...answer };
      });
      await start();
      await client.callTool({ name: 'ask', arguments: {} });
      expect(heard).to.deep.equal([answer]);
    });
  }

  it('takes an answer that does not fit the form for none', async () => {
    const { client, start, heard } = await connect((context) => context.elicit(FORM), { elicitation: {} });
    client.setRequestHandler(ElicitRequestSchema, async () => ({
      action: 'accept',
      content: { colour: 'green' },
    }));
    await start();
    await client.callTool({ name: 'ask', arguments: {} });
    expect(heard[0]?.action).to.equal('unavailable');
  });

  for (const [when, withdrawn] of [
    ['before', 1],
    ['after', 0],
  ] as const) {
    it(`withdraws a question ${withdrawn} times where its signal fires ${when} the answer`, async () => {
      const controller = new AbortController();
      const { client, start, wire } = await connect(
        async (context) => {
          const answer = await context.elicit(FORM, controller.signal);
          controller.abort();
          return answer;
        },
        { elicitation: {} },
      );
      let written = '';
      wire.output.on('data', (chunk: Buffer) => {
        written += chunk.toString('utf8');
      });
      client.setRequestHandler(ElicitRequestSchema, async () => {
        if (when === 'before') controller.abort();
        return { action: 'decline' };
      });
      await start();
      await client.callTool({ name: 'ask', arguments: {} });
      expect(written.split('notifications/cancelled')).to.have.length(withdrawn + 1);
    });
  }

  it('says so when the client cannot be asked', async () => {
    const { client, start, heard } = await connect((context) => context.elicit(FORM));
    await start();
    await client.callTool({ name: 'ask', arguments: {} });
    expect(heard[0]).to.deep.equal({
      action: 'unavailable',
      why: 'The client cannot ask its user (no elicitation capability).',
    });
  });

  const PROMPT = {
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'Why?' } }],
    maxTokens: 10,
    systemPrompt: 'Be brief.',
    model: 'small',
  };

  it('samples from the client’s model', async () => {
    const { client, start, heard } = await connect((context) => context.sample(PROMPT), { sampling: {} });
    client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => {
      expect(params).to.deep.include({
        systemPrompt: 'Be brief.',
        maxTokens: 10,
        modelPreferences: { hints: [{ name: 'small' }] },
      });
      return { role: 'assistant', model: 'm-1', content: { type: 'text', text: 'Because.' } };
    });
    await start();
    await client.callTool({ name: 'ask', arguments: {} });
    expect(heard).to.deep.equal([{ action: 'answer', text: 'Because.', model: 'm-1' }]);
  });

  it('says so when the client lends no model, or its model fails', async () => {
    const without = await connect((context) => context.sample(PROMPT));
    await without.start();
    await without.client.callTool({ name: 'ask', arguments: {} });
    expect(without.heard[0]).to.have.property('action', 'unavailable');
    const failing = await connect((context) => context.sample(PROMPT), { sampling: {} });
    failing.client.setRequestHandler(CreateMessageRequestSchema, async () => {
      throw new Error('no tokens left');
    });
    await failing.start();
    await failing.client.callTool({ name: 'ask', arguments: {} });
    expect(failing.heard[0]).to.have.property('why').that.contains('no tokens left');
  });

  it('sends progress only where the client gave a token', async () => {
    const wire = new Wire([
      runnable({ name: 'work' }, (_args, context) => {
        context.progress(1, 2, 'half');
        context.progress(2);
        return Result.ok(ToolResult.text('x'));
      }),
    ]);
    await wire.open();
    await wire.call(1, 'work');
    expect((await wire.settled()).filter(({ method }) => method !== undefined)).to.deep.equal([]);
    await wire.call(2, 'work', {}, { progressToken: 't-9' });
    const sent = wire.received.filter(({ method }) => method === 'notifications/progress');
    expect(sent.map(({ params }) => params)).to.deep.equal([
      { progressToken: 't-9', progress: 1, total: 2, message: 'half' },
      { progressToken: 't-9', progress: 2 },
    ]);
    expect(wire.received.at(-1)?.id).to.equal(2);
  });

  it('sends log messages at the level the client asked for, and above', async () => {
    const wire = new Wire([
      runnable({ name: 'work' }, (_args, context) => {
        context.log('debug', 'low');
        context.log('error', { high: 1 });
        return Result.ok(ToolResult.text('x'));
      }),
    ]);
    await wire.open();
    expect((await wire.request(1, 'logging/setLevel', { level: 'warning' })).result).to.deep.equal({});
    await wire.call(2, 'work');
    const sent = wire.received.filter(({ method }) => method === 'notifications/message');
    expect(sent.map(({ params }) => params)).to.deep.equal([
      { level: 'error', logger: 'castellan', data: { high: 1 } },
    ]);
    const { error } = await wire.request(3, 'logging/setLevel', { level: 'loud' });
    expect(error?.code).to.equal(-32602);
    expect(error?.message).to.contain('debug, info');
    await wire.call(4, 'work');
    expect(wire.received.filter(({ method }) => method === 'notifications/message')).to.have.length(2);
  });
});
