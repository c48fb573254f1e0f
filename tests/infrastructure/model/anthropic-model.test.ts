import { expect } from 'chai';
import type { ModelAnswer } from '../../../src/application/ports/model/language-model.js';
import type { Result } from '../../../src/domain/result.js';
import type { ToolError } from '../../../src/domain/tool/tool-error.js';
import { AnthropicModel } from '../../../src/infrastructure/model/anthropic-model.js';
import { builtinRedactor } from '../../../src/infrastructure/observability/redaction.js';
import {
  answer,
  cutShort,
  garbage,
  hangUp,
  MessagesApi,
  overloadedInStream,
  refuse,
  silence,
  slam,
  stall,
} from '../../support/messages-api.js';

const KEY = 'my-own-key-of-no-known-shape';
const QUESTION = { message: 'Hello?', model: 'claude-haiku-5-5', maxTokens: 100 };
const SOON = { 'retry-after-ms': '5' };
const overloaded = refuse(529, 'overloaded_error', 'Overloaded', SOON);

describe('AnthropicModel', () => {
  let api: MessagesApi;

  before(async () => {
    api = await MessagesApi.start();
  });

  after(() => api.stop());

  function model(patience: { connectMs?: number; idleMs?: number } = {}): AnthropicModel {
    return new AnthropicModel({ apiKey: KEY, baseUrl: api.url }, builtinRedactor, {
      connectMs: 5000,
      idleMs: 5000,
      retries: 2,
      longestWaitMs: 1000,
      ...patience,
    });
  }

  function ask(
    question: Parameters<AnthropicModel['ask']>[0] = QUESTION,
    signal = new AbortController().signal,
    onProgress: (characters: number) => void = () => {},
  ): Promise<Result<ModelAnswer, ToolError>> {
    return model().ask(question, signal, onProgress);
  }

  async function failure(outcome: Promise<Result<ModelAnswer, ToolError>>): Promise<ToolError> {
    const settled = await outcome;
    if (settled.success) throw new Error(`it answered ${settled.value.text}`);
    return settled.error;
  }

  it('answers with the text of the stream, its model and its tokens', async () => {
    api.next(answer(['Hel', 'lo ', 'there']));
    const outcome = await ask({ ...QUESTION, systemPrompt: 'Be brief.' });
    expect(outcome.success && outcome.value).to.deep.equal({
      text: 'Hello there',
      model: 'claude-haiku-5-5',
      cut: false,
      inputTokens: 11,
      outputTokens: 23,
    });
    const [request] = api.requests;
    expect(request?.path).to.match(/^\/v1\/messages/);
    // The SDK's documented way since 1.x; older ones used X-Api-Key.
    expect(request?.headers.authorization).to.equal(`Bearer ${KEY}`);
    expect(request?.body).to.deep.equal({
      model: 'claude-haiku-5-5',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Hello?' }],
      system: 'Be brief.',
      stream: true,
    });
  });

  it('tells how much has come while it comes, and that an answer was cut', async () => {
    const told: number[] = [];
    api.next(answer(['one', 'two'], 'max_tokens'));
    const outcome = await ask(QUESTION, new AbortController().signal, (characters) => told.push(characters));
    expect(told[0]).to.equal(3);
    expect(outcome.success && outcome.value.cut).to.equal(true);
  });

  for (const [what, behaviour] of [
    ['429', refuse(429, 'rate_limit_error', 'Slow down', SOON)],
    ['529', overloaded],
    ['500', refuse(500, 'api_error', 'Oops', SOON)],
    ['an overloaded error in the stream', overloadedInStream],
    ['a connection that is closed at once', slam],
  ] as const) {
    it(`asks again after ${what}`, async () => {
      api.next(behaviour, answer(['fine']));
      const outcome = await ask();
      expect(outcome.success && outcome.value.text).to.equal('fine');
      expect(api.requests).to.have.length(2);
    });
  }

  it('gives up after two retries, and says that the model is overloaded', async () => {
    api.next(overloaded, overloaded, overloaded, answer(['too late']));
    const error = await failure(ask());
    expect(error.kind).to.equal('execution');
    expect(error.message).to.match(/overloaded \(it says: Overloaded\)\. Ask again later/);
    expect(api.requests).to.have.length(3);
  });

  it('does not wait as long as a server likes: the caller is told when to come again', async () => {
    api.next(refuse(429, 'rate_limit_error', 'Slow down', { 'retry-after': '3600' }), answer(['too late']));
    const error = await failure(ask());
    expect(error).to.include({ kind: 'unavailable', reason: 'RATE_LIMITED', retryAfterMs: 3_600_000 });
    expect(api.requests).to.have.length(1);
  });

  for (const [status, type, words] of [
    [400, 'invalid_request_error', /refused the question \(400\) \(it says: No\.\)/],
    [401, 'authentication_error', /refused the key.*Check ANTHROPIC_API_KEY/],
    [403, 'permission_error', /refused the key/],
    [404, 'not_found_error', /no model claude-haiku-5-5/],
    [413, 'request_too_large', /refused the question \(413\)/],
  ] as const) {
    it(`does not ask again after ${status}`, async () => {
      api.next(refuse(status, type, 'No.'), answer(['never']));
      expect((await failure(ask())).message).to.match(words);
      expect(api.requests).to.have.length(1);
    });
  }

  for (const [what, behaviour] of [
    ['hangs up in the middle', hangUp],
    ['ends before the message does', cutShort],
    ['sends something else than events', garbage],
  ] as const) {
    it(`does not take an answer that ${what} for one, and does not pay twice`, async () => {
      api.next(behaviour, answer(['never']));
      expect((await failure(ask())).message).to.match(/broke off/);
      expect(api.requests).to.have.length(1);
    });
  }

  it('gives up when the answer does not begin in time', async () => {
    api.next(silence);
    const error = await failure(
      model({ connectMs: 100 }).ask(QUESTION, new AbortController().signal, () => {}),
    );
    expect(error.message).to.match(/did not begin to answer in time/);
    await api.requests[0]?.closed;
  });

  it('gives up when the answer stops coming, and closes the request', async () => {
    api.next(stall);
    const error = await failure(model({ idleMs: 100 }).ask(QUESTION, new AbortController().signal, () => {}));
    expect(error.message).to.match(/stopped coming for 0\.1s/);
    await api.requests[0]?.closed;
  });

  for (const [what, behaviour] of [
    ['before it begins', silence],
    ['in the middle', stall],
  ] as const) {
    it(`closes the request when the call is cancelled ${what}`, async () => {
      api.next(behaviour, answer(['never']));
      const controller = new AbortController();
      const asked = ask(QUESTION, controller.signal, () => controller.abort());
      if (behaviour === silence) {
        while (api.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
        controller.abort();
      }
      expect((await failure(asked)).kind).to.equal('cancelled');
      await api.requests[0]?.closed;
      expect(api.requests).to.have.length(1);
    });
  }

  it('stops waiting for a retry when the call is cancelled', async () => {
    const wait = refuse(529, 'overloaded_error', 'Overloaded', { 'retry-after-ms': '900' });
    api.next(wait, answer(['never']));
    const controller = new AbortController();
    const asked = failure(ask(QUESTION, controller.signal));
    while (api.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    setTimeout(() => controller.abort(), 50);
    expect((await asked).kind).to.equal('cancelled');
    expect(api.requests).to.have.length(1);
  });

  it('never repeats the key, even where the API does', async () => {
    for (const status of [400, 401, 500]) {
      const repeating = refuse(status, 'api_error', `bad key ${KEY} or sk-ant-api03-${'a'.repeat(40)}`, SOON);
      api.next(repeating, repeating, repeating);
      const outcome = await ask();
      expect(outcome.success).to.equal(false);
      expect(JSON.stringify(outcome)).not.to.include(KEY).and.not.to.include('sk-ant-api03-a');
      if (!outcome.success) expect(outcome.error.message).to.include('bad key [key]');
    }
  });

  it('says that the API cannot be reached, and where to look', async () => {
    const away = new AnthropicModel({ apiKey: KEY, baseUrl: 'http://127.0.0.1:1' }, builtinRedactor, {
      connectMs: 1000,
      idleMs: 1000,
      retries: 0,
      longestWaitMs: 0,
    });
    const error = await failure(away.ask(QUESTION, new AbortController().signal, () => {}));
    expect(error.message).to.match(/cannot be reached.*ANTHROPIC_BASE_URL/);
  });

  it('says what to set where there is no key', () => {
    for (const apiKey of [undefined, '']) {
      const { missing } = new AnthropicModel({ apiKey, baseUrl: undefined }, builtinRedactor);
      expect(missing).to.match(/Set ANTHROPIC_API_KEY/);
    }
  });
});
