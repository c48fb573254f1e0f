import { setTimeout as sleep } from 'node:timers/promises';
import type Anthropic from '@anthropic-ai/sdk';
import type { Redactor } from '../../application/ports/audit/redactor.js';
import type {
  LanguageModel,
  ModelAnswer,
  ModelQuestion,
} from '../../application/ports/model/language-model.js';
import { Result } from '../../domain/result.js';
import { callCancelled, executionFailed, type ToolError, toolFailure } from '../../domain/tool/tool-error.js';
import { AnswerStream } from './answer-stream.js';
import { describeModelFault, type ModelFault } from './model-fault.js';

export interface AnthropicAccess {
  readonly apiKey: string | undefined;
  readonly baseUrl: string | undefined;
}

/** The timeouts of a request. */
export interface AnthropicPatience {
  /** Until the answer begins. */
  readonly connectMs: number;
  /** Between two parts of the answer. */
  readonly idleMs: number;
  readonly retries: number;
  /** A longer wait is left to the caller. */
  readonly longestWaitMs: number;
}

const PATIENCE: AnthropicPatience = { connectMs: 60_000, idleMs: 30_000, retries: 2, longestWaitMs: 10_000 };
const FIRST_WAIT_MS = 500;
const OWN_HOST = 'api.anthropic.com';

/**
 * The Messages API. The SDK is loaded for the first question; its own retries are disabled, because they wait
 * as long as a server says.
 */
export class AnthropicModel implements LanguageModel {
  readonly missing: string | undefined;
  readonly host: string | undefined;
  #client: Promise<Anthropic> | undefined;

  constructor(
    private readonly access: AnthropicAccess,
    private readonly redactor: Redactor,
    private readonly patience: AnthropicPatience = PATIENCE,
  ) {
    this.missing =
      (access.apiKey ?? '') === ''
        ? 'Set ANTHROPIC_API_KEY in the environment of the server (and ANTHROPIC_BASE_URL for another endpoint).'
        : undefined;
    this.host = this.missing === undefined ? hostOf(access.baseUrl) : undefined;
  }

  async ask(
    question: ModelQuestion,
    signal: AbortSignal,
    onProgress: (characters: number) => void,
  ): Promise<Result<ModelAnswer, ToolError>> {
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#attempt(question, signal, onProgress);
      if ('answer' in outcome) return Result.ok(outcome.answer);
      if (signal.aborted) return toolFailure(callCancelled());
      const { fault } = outcome;
      const waitMs = fault.retryAfterMs ?? FIRST_WAIT_MS * 2 ** attempt;
      if (!fault.passing || attempt >= this.patience.retries || waitMs > this.patience.longestWaitMs) {
        return toolFailure(fault.error);
      }
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return toolFailure(callCancelled());
    }
  }

  async #attempt(
    question: ModelQuestion,
    signal: AbortSignal,
    onProgress: (characters: number) => void,
  ): Promise<{ readonly answer: ModelAnswer } | { readonly fault: ModelFault }> {
    const reading = new AnswerStream(signal, this.patience.idleMs, onProgress);
    try {
      const client = await this.#connected();
      const { message, model, maxTokens, systemPrompt } = question;
      const events = await client.messages.create(
        {
          model,
          max_tokens: maxTokens,
          messages: [{ role: 'user', content: message }],
          stream: true,
          ...(systemPrompt !== undefined && { system: systemPrompt }),
        },
        { signal: reading.signal, timeout: this.patience.connectMs, maxRetries: 0 },
      );
      const answer = await reading.read(events);
      if (answer.success) return { answer: answer.value };
      const error = executionFailed(`${answer.error} Ask again.`, { type: answer.errorType });
      return { fault: { error, passing: false } };
    } catch (error) {
      const { begun } = reading;
      return { fault: describeModelFault(error, { model: question.model, begun, clean: this.#clean }) };
    } finally {
      reading.stop();
    }
  }

  /** Removes the key by its exact text, whatever its shape. */
  readonly #clean = (text: string): string => {
    const { apiKey = '' } = this.access;
    return this.redactor.text(apiKey === '' ? text : text.replaceAll(apiKey, '[key]'));
  };

  #connected(): Promise<Anthropic> {
    this.#client ??= import('@anthropic-ai/sdk').then(
      ({ Anthropic }) =>
        new Anthropic({
          apiKey: this.access.apiKey ?? null,
          authToken: null,
          // null and not undefined, which would read this process's own environment.
          baseURL: this.access.baseUrl ?? null,
          // Its log goes to the console, and standard output belongs to the protocol.
          logLevel: 'off',
        }),
    );
    return this.#client;
  }
}

/** An invalid address; the SDK reports it when it is used. */
function hostOf(baseUrl: string | undefined): string | undefined {
  if (baseUrl === undefined) return OWN_HOST;
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : undefined;
}
