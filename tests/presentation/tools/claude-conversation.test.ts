import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CreateMessageRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { ExplainPermissionHandler } from '../../../src/application/permission/explain-permission.js';
import { Redactor } from '../../../src/application/ports/audit/redactor.js';
import { LanguageModel } from '../../../src/application/ports/model/language-model.js';
import { Logger } from '../../../src/application/ports/system/logger.js';
import { Workspace } from '../../../src/application/ports/system/workspace.js';
import type { Castellan } from '../../../src/composition/server/castellan.js';
import { createCastellan } from '../../../src/composition/server/create-castellan.js';
import { LOCAL_STDIO } from '../../../src/domain/session/caller.js';
import { AnthropicModel } from '../../../src/infrastructure/model/anthropic-model.js';
import { StdioServer } from '../../../src/presentation/mcp/stdio/stdio-server.js';
import { builtinTools } from '../../../src/presentation/tools/builtin-tools.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { ScriptedLanguageModel } from '../../../src/testing/scripted-language-model.js';
import { answer, blocks, MessagesApi, refuse, stall } from '../../support/messages-api.js';
import { ENVELOPES, useInstead } from '../../support/other-answers.js';
import { policyFile } from '../../support/policy-file.js';

const KEY = 'key-that-nobody-may-see';

/** Both ends of a pair of streams in this process, one JSON message a line. */
function clientTransport(toServer: PassThrough, fromServer: PassThrough): Transport {
  const transport: Transport = {
    start: async () => {
      let rest = '';
      fromServer.on('data', (chunk: Buffer) => {
        const lines = (rest + chunk.toString()).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) transport.onmessage?.(JSON.parse(line));
      });
    },
    send: async (message) => {
      toServer.write(`${JSON.stringify(message)}\n`);
    },
    close: async () => {
      toServer.end();
      transport.onclose?.();
    },
  };
  return transport;
}

describe('claude_conversation', () => {
  useInstead(ENVELOPES);
  let api: MessagesApi;
  let castellan: Castellan;
  let logger: RecordingLogger;
  let client: Client;
  let served: Promise<void>;

  before(async () => {
    api = await MessagesApi.start();
  });

  after(() => api.stop());

  async function open(
    apiKey: string | undefined,
    capabilities: { sampling?: object } = {},
    entry = '{}',
  ): Promise<void> {
    logger = new RecordingLogger();
    castellan = await createCastellan({
      policy: policyFile(`tools: { claude_conversation: ${entry} }\n`),
      model: { model: 'claude-sonnet-5', maxTokens: 4096 },
      workspace: mkdtempSync(join(process.env.XDG_STATE_HOME ?? tmpdir(), '..', 'talk-')),
      configure: (container) => {
        container.rebind(Logger).toConstantValue(logger);
        const model = new AnthropicModel({ apiKey, baseUrl: api.url }, container.get(Redactor));
        container.rebind(LanguageModel).toConstantValue(model);
      },
    });
    const [toServer, fromServer] = [new PassThrough(), new PassThrough()];
    served = castellan.container.get(StdioServer).serve(toServer, fromServer);
    client = new Client({ name: 'test', version: '1.0.0' }, { capabilities });
    await client.connect(clientTransport(toServer, fromServer));
  }

  afterEach(async () => {
    await client.close();
    await served;
    await castellan.close();
  });

  const ask = (args: Readonly<Record<string, unknown>> = {}) =>
    client.callTool({ name: 'claude_conversation', arguments: { message: 'Hi', ...args } });

  /** What `policy explain` says about the same call. */
  const explain = (args: Readonly<Record<string, unknown>> = {}) =>
    castellan.container.get(ExplainPermissionHandler).handle({
      caller: LOCAL_STDIO,
      tool: 'claude_conversation',
      arguments: { message: 'Hi', ...args },
    });

  it('S4-06: is the tool of the category ai', async () => {
    await open(KEY);
    const names = builtinTools.filter(({ category }) => category === 'ai').map(({ name }) => name);
    expect(names).to.deep.equal(['claude_conversation']);
    const { tools } = await client.listTools();
    const listed = tools.find(({ name }) => name === 'claude_conversation');
    expect(listed?.inputSchema.required).to.deep.equal(['message']);
    expect(Object.keys(listed?.inputSchema.properties ?? {})).to.include.members(['model', 'system_prompt']);
    expect(listed?.outputSchema).to.equal(undefined);
  });

  it('S4-14: sends message, model and system prompt, and answers with the text of the first block', async () => {
    await open(KEY);
    api.next(answer(['Hel', 'lo']));
    const progress: number[] = [];
    const result = await client.callTool(
      {
        name: 'claude_conversation',
        arguments: { message: 'Hi', model: 'claude-opus-5', system_prompt: 'Be kind.', max_tokens: 9 },
      },
      undefined,
      { onprogress: ({ progress: characters }) => progress.push(characters) },
    );
    expect(result.content).to.deep.equal([{ type: 'text', text: 'Hello' }]);
    expect(result.structuredContent).to.equal(undefined);
    expect(api.requests[0]?.body).to.deep.include({
      model: 'claude-opus-5',
      system: 'Be kind.',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'Hi' }],
    });
    expect(progress[0]).to.equal(3);
  });

  it('S4-14: of several blocks only the text of the first comes back', async () => {
    await open(KEY);
    api.next(blocks(['First.', 'Second.', 'Third.']));
    const result = await client.callTool({ name: 'claude_conversation', arguments: { message: 'Hi' } });
    expect(result.content).to.deep.equal([{ type: 'text', text: 'First.' }]);
  });

  it('S4-14: a missing message is "message is required", and an error of the API an error result', async () => {
    await open(KEY);
    for (const args of [{}, { message: '' }]) {
      const refused = await client.callTool({ name: 'claude_conversation', arguments: args });
      expect(refused.isError).to.equal(true);
      expect(refused.structuredContent).to.include({ error: 'message is required' });
    }
    api.next(refuse(400, 'invalid_request_error', `no, and your key is ${KEY}`));
    const failed = await client.callTool({ name: 'claude_conversation', arguments: { message: 'Hi' } });
    expect(failed.isError).to.equal(true);
    expect(JSON.stringify(failed)).to.match(/refused the question \(400\)/);
    expect(JSON.stringify(failed) + JSON.stringify(logger.records)).not.to.include(KEY);
  });

  it('cancelling the call closes the request', async () => {
    await open(KEY);
    api.next(stall);
    const controller = new AbortController();
    const called = client.callTool({ name: 'claude_conversation', arguments: { message: 'Hi' } }, undefined, {
      signal: controller.signal,
      onprogress: () => controller.abort(),
    });
    const outcome = await called.then(
      () => 'answered',
      () => 'cancelled',
    );
    expect(outcome).to.equal('cancelled');
    await api.requests[0]?.closed;
  });

  it("without a key asks the client's own model", async () => {
    await open(undefined, { sampling: {} });
    api.next();
    client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => ({
      role: 'assistant',
      model: 'the-clients-own',
      content: {
        type: 'text',
        text: `${params.systemPrompt} / ${JSON.stringify(params.messages[0]?.content)} / ${params.maxTokens} / ${params.modelPreferences?.hints?.[0]?.name}`,
      },
    }));
    const result = await client.callTool({
      name: 'claude_conversation',
      arguments: { message: 'Hi', model: 'claude-opus-5', system_prompt: 'Be kind.', max_tokens: 9 },
    });
    expect(result.content).to.deep.equal([
      { type: 'text', text: 'Be kind. / {"type":"text","text":"Hi"} / 9 / claude-opus-5' },
    ]);
    expect(api.requests).to.have.length(0);
  });

  it('without a key and without sampling refuses, and says what to set', async () => {
    await open(undefined);
    // Often, because a breaker must not hide what to set.
    for (let call = 0; call < 6; call += 1) {
      await client.callTool({ name: 'claude_conversation', arguments: { message: 'Hi' } });
    }
    const result = await client.callTool({ name: 'claude_conversation', arguments: { message: 'Hi' } });
    expect(result.isError).to.equal(true);
    expect(result.structuredContent).to.deep.include({ error_type: 'ToolUnavailableError' });
    expect(JSON.stringify(result.content)).to.match(/Set ANTHROPIC_API_KEY/);
  });

  it('is refused where the policy does not allow the default model, with those it allows; explain agrees', async () => {
    await open(KEY, {}, '{ allowed_models: [claude-haiku-*, claude-opus-5] }');
    api.next(answer(['fine']));
    const refused = await ask();
    expect(refused.structuredContent).to.include({ error_type: 'PermissionDeniedError' });
    expect(JSON.stringify(refused.structuredContent)).to.match(
      /must be one of the allowed models \(claude-haiku-\*, claude-opus-5\); it is .*claude-sonnet-5/,
    );
    expect(await explain()).to.include({ effect: 'deny', reason: 'ARGUMENT' });
    expect(api.requests).to.have.length(0);
    expect((await ask({ model: 'claude-haiku-5' })).isError).to.equal(undefined);
    expect(await explain({ model: 'claude-haiku-5' })).to.include({ effect: 'allow' });
  });

  it('is refused where the default length is over the maximum of the policy; explain agrees', async () => {
    await open(KEY, {}, '{ arguments: { max_tokens: { maximum: 1000 } } }');
    api.next(answer(['fine']));
    const refused = await ask();
    expect(JSON.stringify(refused.structuredContent)).to.match(/max_tokens must be at most 1000; it is 4096/);
    expect(await explain()).to.include({ effect: 'deny', reason: 'ARGUMENT' });
    expect((await ask({ max_tokens: 1000 })).isError).to.equal(undefined);
    expect(await explain({ max_tokens: 1000 })).to.include({ effect: 'allow' });
  });

  it('keeps to the tokens an hour of the policy, also over a restart of the server', async () => {
    const entry = '{ tokens: { limit: 120/h } }';
    await open(KEY, {}, entry);
    const { root } = castellan.container.get(Workspace);
    api.next(answer(['fine']));
    expect((await ask({ max_tokens: 100 })).isError).to.equal(undefined);
    const again = await createCastellan({
      policy: policyFile(`tools: { claude_conversation: ${entry} }\n`),
      workspace: root,
      logLevel: 'silent',
      configure: (container) => {
        container.rebind(LanguageModel).toConstantValue(new ScriptedLanguageModel('fine'));
      },
    });
    try {
      const call = (max_tokens: number) =>
        again.execute('claude_conversation', { message: 'Hi', max_tokens });
      const refused = await call(119);
      expect(!refused.success && refused.error).to.include({ reason: 'RATE_LIMITED' });
      expect((await call(50)).success).to.equal(true);
    } finally {
      await again.close();
    }
  });

  it('reaches only the hosts that its entry names', async () => {
    await open(KEY, {}, '{ allowed_hosts: [api.anthropic.com] }');
    const refused = await ask();
    expect(refused.structuredContent).to.deep.include({ error_type: 'PermissionDeniedError' });
    expect(await explain()).to.include({ effect: 'deny', reason: 'NO_ALLOW' });
  });

  it("holds the client's own model to the same limits, by what is asked and by who answered", async () => {
    await open(
      undefined,
      { sampling: {} },
      '{ allowed_models: [claude-*], arguments: { max_tokens: { maximum: 10 } } }',
    );
    let model = 'claude-desktop-1';
    let asked = 0;
    client.setRequestHandler(CreateMessageRequestSchema, async () => {
      asked += 1;
      return { role: 'assistant', model, content: { type: 'text', text: 'lent' } };
    });
    expect((await ask()).isError).to.equal(true);
    expect((await ask({ max_tokens: 9, model: 'other' })).isError).to.equal(true);
    expect(asked).to.equal(0);
    expect((await ask({ max_tokens: 9 })).isError).to.equal(undefined);
    model = 'somebody-elses';
    const refused = await ask({ max_tokens: 9 });
    expect(JSON.stringify(refused.structuredContent)).to.match(
      /answered with somebody-elses.*allowed_models/,
    );
  });

  it('marks an answer that was cut, for the agent', async () => {
    await open(KEY);
    api.next(answer(['half'], 'max_tokens'));
    const result = await client.callTool({ name: 'claude_conversation', arguments: { message: 'Hi' } });
    expect(JSON.stringify(result.content)).to.match(/"half".*cut at max_tokens.*"audience":\["assistant"\]/);
  });
});
