import { expect } from 'chai';
import type { SampleAnswer, SampleRequest } from '../../../src/application/call/tool-context.js';
import { ConverseHandler } from '../../../src/application/model/converse.js';
import { TokenAccount } from '../../../src/application/model/token-account.js';
import type { LanguageModel } from '../../../src/application/ports/model/language-model.js';
import type { TokenLedger } from '../../../src/application/ports/model/token-ledger.js';
import type { Spending } from '../../../src/domain/model/token-spending.js';
import type { TokenRule } from '../../../src/domain/permission/policy/obligations.js';
import { Result } from '../../../src/domain/result.js';
import { LOCAL_STDIO } from '../../../src/domain/session/caller.js';
import { executionFailed, toolFailure } from '../../../src/domain/tool/tool-error.js';
import { ManualClock } from '../../../src/testing/manual-clock.js';
import { OpenPolicy } from '../../../src/testing/open-policy.js';
import { RecordingLogger } from '../../../src/testing/recording-logger.js';
import { ScriptedLanguageModel } from '../../../src/testing/scripted-language-model.js';
import { SequentialIds } from '../../../src/testing/sequential-ids.js';

const HOUR = 3_600_000;
const ASK = { tool: 'claude_conversation', message: 'hi' };

function perHour(limit: number, onStoreFailure: TokenRule['onStoreFailure'] = 'local'): TokenRule {
  return { per: 'principal', limit, windowMs: HOUR, onStoreFailure };
}

describe('A conversation', () => {
  let clock: ManualClock;
  let sampled: SampleRequest[];
  let logger: RecordingLogger;
  let spent: readonly Spending[];
  let broken: string | undefined;
  const ledger: TokenLedger = {
    update: async (change) => {
      if (broken !== undefined) return Result.failure(broken, 'TokenLedgerUnavailable');
      spent = change(spent);
      return Result.ok(undefined);
    },
  };

  beforeEach(() => {
    clock = new ManualClock();
    sampled = [];
    spent = [];
    broken = undefined;
    logger = new RecordingLogger();
  });

  function handler(model: LanguageModel = new ScriptedLanguageModel('four words come back')) {
    const account = new TokenAccount(ledger, clock, new SequentialIds(), logger);
    return new ConverseHandler(model, { model: 'm1', maxTokens: 20 }, account, logger);
  }

  function call(rules: readonly TokenRule[] = [], answer?: SampleAnswer, caller = LOCAL_STDIO) {
    const { policy } = new OpenPolicy().current();
    const decision = new OpenPolicy({ tokens: rules })
      .current()
      .policy.decide({ caller, tool: ASK.tool, arguments: {}, requests: [] });
    if (decision.effect !== 'allow') throw new Error('an open policy allows');
    return {
      signal: new AbortController().signal,
      correlationId: 'c1',
      caller,
      grant: { policy, obligations: decision.obligations, view: policy.viewFor(ASK.tool) },
      progress: () => {},
      sample: async (request: SampleRequest): Promise<SampleAnswer> => {
        sampled.push(request);
        return answer ?? { action: 'unavailable', why: 'The client lends none.' };
      },
    };
  }

  it('uses the default model and length where nobody names any', async () => {
    const model = new ScriptedLanguageModel('yes');
    await handler(model).handle(ASK, call());
    expect(model.questions).to.deep.equal([{ message: 'hi', model: 'm1', maxTokens: 20 }]);
  });

  it('counts what was used, per caller, and refuses what could pass the limit until enough is forgotten', async () => {
    const talk = handler();
    const rules = [perHour(26)];
    expect((await talk.handle(ASK, call(rules))).success).to.equal(true);
    expect(logger.records[0]?.fields).to.include({ inputTokens: 1, outputTokens: 5 });
    expect(spent).to.deep.equal([{ at: clock.now(), caller: 'local', tokens: 6 }]);
    clock.advance(1000);
    const refused = await talk.handle(ASK, call(rules));
    if (refused.success) throw new Error('6 used and 21 more are over 26');
    expect(refused.error).to.include({
      kind: 'unavailable',
      reason: 'RATE_LIMITED',
      retryAfterMs: HOUR - 1000,
    });
    expect(refused.error.message).to.match(/used 6 of 26 tokens in 3600s.*up to 21.*below 20/);
    const shorter = { ...ASK, maxTokens: 19 };
    expect((await talk.handle(shorter, call(rules))).success).to.equal(true);
    const other = { id: 'somebody else', transport: 'http' } as const;
    expect((await talk.handle(ASK, call(rules, undefined, other))).success).to.equal(true);
    clock.advance(HOUR);
    expect((await talk.handle(ASK, call(rules))).success).to.equal(true);
  });

  it('books before it asks, so that calls at once cannot pass the limit together', async () => {
    const talk = handler();
    const outcomes = await Promise.all([1, 2, 3].map(() => talk.handle(ASK, call([perHour(50)]))));
    expect(outcomes.filter(({ success }) => success)).to.have.length(2);
  });

  it('refuses a call that alone may cost more than the limit, and says how to ask', async () => {
    const refused = await handler().handle(ASK, call([perHour(20)]));
    expect(!refused.success && refused.error.kind).to.equal('limit-exceeded');
    expect(!refused.success && refused.error.message).to.match(
      /up to 21 tokens.*20 tokens in 3600s.*max_tokens/,
    );
  });

  it('pays for an answer as far as it came, and nothing for a refused question', async () => {
    const failing = (characters: number): LanguageModel => ({
      missing: undefined,
      host: undefined,
      ask: async (_question, _signal, onProgress) => {
        if (characters > 0) onProgress(characters);
        return toolFailure(executionFailed('It broke off.'));
      },
    });
    await handler(failing(0)).handle(ASK, call([perHour(100)]));
    expect(spent).to.deep.equal([]);
    await handler(failing(40)).handle(ASK, call([perHour(100)]));
    expect(spent.map(({ tokens }) => tokens)).to.deep.equal([11]);
  });

  it('counts in the process while the ledger cannot be kept, or refuses where the policy says so', async () => {
    broken = 'The disk is full.';
    const refused = await handler().handle(ASK, call([perHour(26, 'deny')]));
    expect(!refused.success && refused.error.message).to.match(/cannot be counted.*The disk is full/);
    const talk = handler();
    expect((await talk.handle(ASK, call([perHour(26)]))).success).to.equal(true);
    expect(logger.records.some(({ message }) => /in this process only/.test(message))).to.equal(true);
    expect((await talk.handle(ASK, call([perHour(26)]))).success).to.equal(false);
  });

  it("asks the client's model where there is no key, with the model as a hint, and counts by length", async () => {
    const keyless = handler(new ScriptedLanguageModel('', 'Set ANTHROPIC_API_KEY.'));
    const lent = call([perHour(30)], { action: 'answer', text: 'lent you', model: 'theirs' });
    const outcome = await keyless.handle({ ...ASK, systemPrompt: 'brief' }, lent);
    expect(outcome.success && outcome.value).to.include({ text: 'lent you', model: 'theirs' });
    expect(sampled[0]).to.deep.equal({
      messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }],
      maxTokens: 20,
      systemPrompt: 'brief',
      model: 'm1',
    });
    expect(spent.map(({ tokens }) => tokens)).to.deep.equal([4]);
    expect(logger.records[0]?.fields).to.include({ estimated: true });
    await keyless.handle({ ...ASK, model: 'm2' }, lent);
    expect(sampled[1]?.model).to.equal('m2');
    const refused = await keyless.handle({ ...ASK, maxTokens: 25 }, lent);
    expect(!refused.success && refused.error).to.include({ reason: 'RATE_LIMITED' });
    expect(sampled).to.have.length(2);
  });

  it('says what to set where neither is there, and costs nothing', async () => {
    const keyless = handler(new ScriptedLanguageModel('', 'Set ANTHROPIC_API_KEY.'));
    const outcome = await keyless.handle(ASK, call([perHour(100)]));
    if (outcome.success) throw new Error('nobody can have answered');
    expect(outcome.error.message).to.match(
      /no model to ask\. Set ANTHROPIC_API_KEY\..*The client lends none/,
    );
    expect(spent).to.deep.equal([]);
  });
});
