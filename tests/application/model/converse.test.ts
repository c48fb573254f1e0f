import { expect } from 'chai';
import { ConverseHandler } from '../../../src/application/model/converse.js';
import { DEFAULT_MODEL_LIMITS, type ModelLimits } from '../../../src/application/model/model-limits.js';
import { TokenAccount } from '../../../src/application/model/token-account.js';
import type { SampleAnswer, SampleRequest } from '../../../src/application/tool/tool-context.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { ScriptedLanguageModel } from '../../../src/testing/scripted-language-model.js';

describe('A conversation', () => {
  let now: number;
  let sampled: SampleRequest[];
  let logger: RecordingLogger;

  beforeEach(() => {
    now = 0;
    sampled = [];
    logger = new RecordingLogger();
  });

  function handler(limits: Partial<ModelLimits>, model = new ScriptedLanguageModel('four words come back')) {
    const all = { ...DEFAULT_MODEL_LIMITS, ...limits };
    const clock = { now: () => now, elapsed: () => now };
    return new ConverseHandler(model, all, new TokenAccount(all, clock), logger);
  }

  function call(answer: SampleAnswer = { action: 'unavailable', why: 'The client lends none.' }) {
    return {
      signal: new AbortController().signal,
      correlationId: 'c1',
      progress: () => {},
      sample: async (request: SampleRequest) => {
        sampled.push(request);
        return answer;
      },
    };
  }

  it('uses the default model and length where the caller names none', async () => {
    const model = new ScriptedLanguageModel('yes');
    await handler({ defaultModel: 'm1', defaultMaxTokens: 77 }, model).handle({ message: 'hi' }, call());
    expect(model.questions).to.deep.equal([{ message: 'hi', model: 'm1', maxTokens: 77 }]);
  });

  it('refuses a model that the policy does not allow, and names those it does', async () => {
    const limited = handler({
      allowedModels: ['claude-haiku-*', 'claude-opus-5'],
      defaultModel: 'claude-opus-5',
    });
    for (const model of ['claude-haiku-5-5', 'claude-opus-5', undefined]) {
      const outcome = await limited.handle({ message: 'hi', ...(model && { model }) }, call());
      expect(outcome.success).to.equal(true);
    }
    const refused = await limited.handle({ message: 'hi', model: 'claude-opus-5-5' }, call());
    if (refused.success) throw new Error('it was allowed');
    expect(refused.error.kind).to.equal('permission-denied');
    expect(refused.error.message).to.match(/claude-opus-5-5\. Allowed: claude-haiku-\*, claude-opus-5/);
  });

  it('refuses more tokens than the policy allows, and lowers the default to it', async () => {
    const model = new ScriptedLanguageModel('yes');
    const limited = handler({ maxTokens: 50 }, model);
    const refused = await limited.handle({ message: 'hi', maxTokens: 51 }, call());
    expect(!refused.success && refused.error.kind).to.equal('limit-exceeded');
    await limited.handle({ message: 'hi' }, call());
    expect(model.questions[0]?.maxTokens).to.equal(50);
  });

  it('counts tokens, and refuses when an hour is used up, until it has passed', async () => {
    const limited = handler({ tokensPerHour: 6 });
    expect((await limited.handle({ message: 'hi' }, call())).success).to.equal(true);
    expect(logger.records[0]?.fields).to.include({ inputTokens: 1, outputTokens: 5 });
    now = 1000;
    const refused = await limited.handle({ message: 'hi' }, call());
    if (refused.success) throw new Error('it was allowed');
    expect(refused.error).to.include({
      kind: 'unavailable',
      reason: 'RATE_LIMITED',
      retryAfterMs: 3_599_000,
    });
    now = 3_600_000;
    expect((await limited.handle({ message: 'hi' }, call())).success).to.equal(true);
  });

  it("asks the client's model where there is no key, with the model as a hint only where one was named", async () => {
    const keyless = handler({}, new ScriptedLanguageModel('', 'Set ANTHROPIC_API_KEY.'));
    const lent = call({ action: 'answer', text: 'lent', model: 'theirs' });
    const outcome = await keyless.handle({ message: 'hi', systemPrompt: 'brief' }, lent);
    expect(outcome.success && outcome.value).to.include({ text: 'lent', model: 'theirs' });
    await keyless.handle({ message: 'hi', model: 'm2' }, lent);
    expect(sampled[0]).to.deep.equal({
      messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }],
      maxTokens: 4096,
      systemPrompt: 'brief',
    });
    expect(sampled[1]?.model).to.equal('m2');
  });

  it('says what to set where neither is there', async () => {
    const keyless = handler({}, new ScriptedLanguageModel('', 'Set ANTHROPIC_API_KEY.'));
    const outcome = await keyless.handle({ message: 'hi' }, call());
    if (outcome.success) throw new Error('nobody can have answered');
    expect(outcome.error.message).to.match(
      /no model to ask\. Set ANTHROPIC_API_KEY\..*The client lends none/,
    );
  });
});
